/** Named rules that every request obeys (context.md 5, invariants; reliability.md I1–I4). */
import type { Message } from './message.ts';
import { textOf, toolCallsOf } from './message.ts';

export type Breach = { readonly rule: Rule; readonly messageId: Message['id']; readonly detail: string };
export type Rule =
  | 'one system message, first'
  | 'the first other message is the user’s'
  | 'every call has exactly one result, directly behind, in call order'
  | 'no result without its call'
  | 'call ids are unique'
  | 'no empty assistant message'
  | 'no lone surrogate';

/** All breaches of `messages`, in order; empty for a valid request. */
export function brokenRules(messages: Iterable<Message>): readonly Breach[] {
  const check = new RuleCheck();
  for (const message of messages) check.take(message);
  return check.breaches();
}

/** The rules, checked message by message: a history that has grown is checked at its end only. */
export class RuleCheck {
  readonly #found: Breach[] = [];
  readonly #callIds = new Set<string>();
  #open: readonly string[] = [];
  #taken = 0;
  #others = 0;
  #last: Message | null = null;

  take(message: Message): void {
    if (message.role === 'tool') this.#takeResult(message.id, message.parts[0].toolCallId);
    else {
      this.#found.push(...this.#unanswered());
      this.#open = [];
    }
    this.#checkPlace(message);
    const calls = toolCallsOf(message).map(({ toolCallId }) => toolCallId);
    for (const id of calls) {
      if (this.#callIds.has(id)) this.#breach('call ids are unique', message.id, id);
      this.#callIds.add(id);
    }
    if (calls.length > 0) this.#open = calls;
    const text = textOf(message);
    if (message.role === 'assistant' && calls.length === 0 && text.trim() === '')
      this.#breach('no empty assistant message', message.id, 'neither text nor calls');
    if (!text.isWellFormed()) this.#breach('no lone surrogate', message.id, 'half of a surrogate pair');
    this.#last = message;
    this.#taken += 1;
  }

  /** If it ended here. More may be taken afterwards. */
  breaches(): readonly Breach[] {
    return [...this.#found, ...this.#unanswered()];
  }

  #checkPlace(message: Message): void {
    if (message.role === 'system') {
      if (this.#taken > 0)
        this.#breach('one system message, first', message.id, `a system message at position ${this.#taken}`);
      return;
    }
    if (this.#others === 0 && message.role !== 'user')
      this.#breach('the first other message is the user’s', message.id, message.role);
    this.#others += 1;
  }

  #takeResult(messageId: Message['id'], toolCallId: string): void {
    if (!this.#open.includes(toolCallId)) this.#breach('no result without its call', messageId, toolCallId);
    else if (this.#open[0] !== toolCallId) this.#breach(PAIRING, messageId, `${toolCallId} came early`);
    this.#open = this.#open.filter((other) => other !== toolCallId);
  }

  #unanswered(): readonly Breach[] {
    if (this.#open.length === 0 || this.#last === null) return [];
    return [{ rule: PAIRING, messageId: this.#last.id, detail: `open: ${this.#open.join(', ')}` }];
  }

  #breach(rule: Rule, messageId: Message['id'], detail: string): void {
    this.#found.push({ rule, messageId, detail });
  }
}

const PAIRING = 'every call has exactly one result, directly behind, in call order';
