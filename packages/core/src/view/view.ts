/** The messages that the next request will carry: a pure fold of stored messages and edits (context.md 1). */
import { History } from '../message/history.ts';
import { type Message, ordinalOf } from '../message/message.ts';
import type { ContextEdit } from './edit.ts';

export type View = History<Message>;

export const EMPTY_VIEW: View = History.empty();

/** The same messages and edits give the same view, today or after a crash, on any process. */
export function foldView(messages: Iterable<Message>, edits: readonly ContextEdit[]): View {
  return edits.reduce(applyEdit, History.of(messages));
}

function applyEdit(view: View, edit: ContextEdit): View {
  switch (edit.kind) {
    case 'mask':
      return History.of(
        [...view].map((message) => (message.id === edit.message ? masked(message, edit.text) : message)),
      );
    case 'replace': {
      const inside = (message: Message) =>
        ordinalOf(message.id) >= ordinalOf(edit.from) && ordinalOf(message.id) <= ordinalOf(edit.to);
      const kept = [...view].flatMap((message, index, all) => {
        if (!inside(message)) return [message];
        const before = all[index - 1];
        return before === undefined || !inside(before) ? [edit.replacement] : [];
      });
      return History.of(kept);
    }
    default:
      return edit satisfies never;
  }
}

function masked(message: Message, text: string): Message {
  if (message.role !== 'tool') return message;
  return { ...message, parts: [{ ...message.parts[0], text }] };
}
