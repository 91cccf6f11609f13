/** The one choke point (context.md 5): every request is checked just before it is sent, whoever built it. */
import { type Breach, RuleCheck } from '../message/invariants.ts';
import type { Message, Part } from '../message/message.ts';
import { type RepairTexts, repairHistory } from '../message/repair.ts';
import { countMessage, type TokenCounter } from '../tokens/estimate.ts';
import { EMPTY_VIEW, type View } from './view.ts';

export type CheckedRequest = {
  /** What to send: the view itself, or where it broke a rule, the view repaired. */
  readonly messages: Iterable<Message>;
  /** Empty unless we have a fault. */
  readonly breaches: readonly Breach[];
};

/** One an agent. A view that has only grown since the last request is checked at its end: a step costs what is new. */
export class RequestCheck {
  readonly #count: TokenCounter;
  #checked: View = EMPTY_VIEW;
  #check = new RuleCheck();

  constructor(count: TokenCounter) {
    this.#count = count;
  }

  toRequest(view: View, texts: RepairTexts): CheckedRequest {
    const hasGrown = view.startsWith(this.#checked);
    if (!hasGrown) this.#check = new RuleCheck();
    for (const message of view.slice(hasGrown ? this.#checked.length : 0)) this.#check.take(message);
    this.#checked = view;
    const breaches = this.#check.breaches();
    if (breaches.length === 0) return { messages: view, breaches };
    const count = (parts: readonly Part[]) => countMessage(parts as Message['parts'], this.#count);
    return { messages: repairHistory(view, texts, count).messages, breaches };
  }
}
