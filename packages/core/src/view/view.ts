/** The messages that the next request will carry: a pure fold of stored messages and edits (context.md 1). */
import { History } from '../message/history.ts';
import { coverage, type Message, type MessageId, type MessageRange, ordinalOf } from '../message/message.ts';
import type { ContextEdit } from './edit.ts';

export type View = History<Message>;

export const EMPTY_VIEW: View = History.empty();

/** The same messages and edits give the same view, today or after a crash, on any process. */
export function foldView(messages: Iterable<Message>, edits: readonly ContextEdit[]): View {
  return applyEdits(History.of(messages), edits);
}

/** All edits of one compaction in one pass over the view. */
export function applyEdits(view: View, edits: readonly ContextEdit[]): View {
  const rewrites = new Map<string, Rewrite[]>();
  const replacements: Extract<ContextEdit, { kind: 'replace' }>['replacement'][] = [];
  for (const edit of edits) {
    switch (edit.kind) {
      case 'rewrite':
        rewrites.set(edit.message, [...(rewrites.get(edit.message) ?? []), edit]);
        break;
      case 'replace':
        replacements.push(edit.replacement);
        break;
      default:
        edit satisfies never;
    }
  }
  const kept: Message[] = [];
  const placed = new Set<Message>();
  for (const message of view) {
    const replacement = replacements.findLast((other) => contains(other.covers, coverage(message)));
    if (replacement === undefined) {
      kept.push((rewrites.get(message.id) ?? []).reduce(rewritten, message));
    } else if (!placed.has(replacement)) {
      placed.add(replacement);
      kept.push(replacement);
    }
  }
  return History.of(kept);
}

/** True while the message is in the view as it was stored. */
export function isShownWhole(view: Iterable<Message>, id: MessageId): boolean {
  for (const message of view) if (message.id === id) return message.cut !== true;
  return false;
}

/** True when every message of `inner` is one of `outer`. */
export function contains(outer: MessageRange, inner: MessageRange): boolean {
  return ordinalOf(outer.from) <= ordinalOf(inner.from) && ordinalOf(inner.to) <= ordinalOf(outer.to);
}

type Rewrite = Extract<ContextEdit, { kind: 'rewrite' }>;

function rewritten(message: Message, { parts, tokens, reason }: Rewrite): Message {
  const changed = { ...message, parts, tokens, cut: true } as Message;
  return changed.role === 'tool' && reason === 'mask' ? { ...changed, masked: true } : changed;
}
