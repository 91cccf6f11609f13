/** A summary written before it is needed, and whether it still tells of what stands in the view (context.md 5). */
import { coverage, type Message, type MessageId, textOf, toolCallsOf } from '../message/message.ts';
import { type TextHash, textHash } from '../watch/text-hash.ts';
import type { SummaryReply } from './summary-reply.ts';

/** A stretch of a view, bound to what stood in it. */
export type SummaryRange = {
  readonly from: MessageId;
  readonly to: MessageId;
  readonly hash: TextHash;
};

/** A refusal counts as well: it was this compaction's attempt. */
export type PreparedSummary = {
  readonly range: SummaryRange;
  readonly reply: Exclude<SummaryReply, { readonly kind: 'none' }>;
};

/** The stretch of `view` that holds `told`, messages to be summarised in their order; null: it is not in this view. */
export function summaryRange(view: readonly Message[], told: readonly Message[]): SummaryRange | null {
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || last === undefined) return null;
  const { from } = coverage(first);
  const { to } = coverage(last);
  const hash = stretchHash(view, from, to);
  return hash === null ? null : { from, to, hash };
}

/** Nothing in the range was replaced, masked, cut or set aside since. */
export function isUnchanged({ from, to, hash }: SummaryRange, view: readonly Message[]): boolean {
  return stretchHash(view, from, to) === hash;
}

/**
 * What of `replaced` comes behind the range and is not told of yet; null: the range does not begin where `replaced`
 * begins, or ends within one of its messages, so that the summary is of no use here.
 */
export function untoldBehind(range: SummaryRange, replaced: readonly Message[]): readonly Message[] | null {
  const first = replaced[0];
  if (first === undefined || coverage(first).from !== range.from) return null;
  const end = replaced.findIndex((message) => coverage(message).to === range.to);
  return end === -1 ? null : replaced.slice(end + 1);
}

function stretchHash(view: readonly Message[], from: MessageId, to: MessageId): TextHash | null {
  const start = view.findIndex((message) => coverage(message).from === from);
  const end = view.findIndex((message) => coverage(message).to === to);
  if (start === -1 || end < start) return null;
  const shown = view
    .slice(start, end + 1)
    .map((message) => [message.id, textOf(message), toolCallsOf(message).map((call) => call.arguments)]);
  return textHash(JSON.stringify(shown));
}
