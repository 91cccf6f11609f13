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
  const breaches: Breach[] = [];
  const seenIds = new Set<string>();
  let open: string[] = [];
  let position = 0;
  let firstOther = true;
  let last: Message | undefined;
  const breach = (rule: Rule, message: Message, detail: string) =>
    breaches.push({ rule, messageId: message.id, detail });

  for (const message of messages) {
    if (message.role === 'system') {
      if (position > 0)
        breach('one system message, first', message, `a system message at position ${position}`);
    } else if (firstOther) {
      firstOther = false;
      if (message.role !== 'user') breach('the first other message is the user’s', message, message.role);
    }
    if (message.role === 'tool') {
      const id = message.parts[0].toolCallId;
      if (open[0] === id) open.shift();
      else if (open.includes(id)) {
        breach(
          'every call has exactly one result, directly behind, in call order',
          message,
          `${id} came early`,
        );
        open = open.filter((other) => other !== id);
      } else breach('no result without its call', message, id);
    } else {
      if (open.length > 0 && last !== undefined) {
        breach(
          'every call has exactly one result, directly behind, in call order',
          last,
          `open: ${open.join(', ')}`,
        );
      }
      open = [];
    }
    for (const call of toolCallsOf(message)) {
      if (seenIds.has(call.toolCallId)) breach('call ids are unique', message, call.toolCallId);
      seenIds.add(call.toolCallId);
      open.push(call.toolCallId);
    }
    if (message.role === 'assistant' && toolCallsOf(message).length === 0 && textOf(message).trim() === '') {
      breach('no empty assistant message', message, 'neither text nor calls');
    }
    if (!textOf(message).isWellFormed()) breach('no lone surrogate', message, 'half of a surrogate pair');
    last = message;
    position++;
  }
  if (open.length > 0 && last !== undefined) {
    breach(
      'every call has exactly one result, directly behind, in call order',
      last,
      `open: ${open.join(', ')}`,
    );
  }
  return breaches;
}
