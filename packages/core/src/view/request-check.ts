/** The one choke point (context.md 5): every request is checked just before it is sent, whoever built it. */
import { type Breach, RuleCheck } from '../message/invariants.ts';
import type { Message } from '../message/message.ts';
import { type RepairTexts, repairHistory } from '../message/repair.ts';
import { countMessage, type TokenCounter } from '../tokens/estimate.ts';

export type CheckedRequest = {
  /** What to send: the view itself, or where it broke a rule, the view repaired. */
  readonly messages: Iterable<Message>;
  /** Empty unless we have a fault. */
  readonly breaches: readonly Breach[];
};

/** One an agent. A view that has only grown since the last request is checked at its end. */
export class RequestCheck {
  readonly #count: TokenCounter;
  #checked: readonly Message[] = [];
  #check = new RuleCheck();

  constructor(count: TokenCounter) {
    this.#count = count;
  }

  toRequest(view: Iterable<Message>, texts: RepairTexts): CheckedRequest {
    const messages = [...view];
    const hasGrown = this.#checked.every((message, index) => message === messages[index]);
    if (!hasGrown) this.#check = new RuleCheck();
    for (let index = hasGrown ? this.#checked.length : 0; index < messages.length; index++) {
      this.#check.take(messages[index] as Message);
    }
    this.#checked = messages;
    const breaches = this.#check.breaches();
    if (breaches.length === 0) return { messages, breaches };
    const repaired = repairHistory(messages, texts, (parts) =>
      countMessage(parts as Message['parts'], this.#count),
    );
    return { messages: repaired.messages, breaches };
  }
}
