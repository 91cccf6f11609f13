/** The originals of a ref, one after another, as far as one page goes; the next page begins where this one ends. */
import { type Message, type MessageId, type MessageRange, messageId, ordinalOf } from '@astroresearch/core';
import type { Store } from '../store/store.ts';
import { countCharacters } from '../tools/output.ts';
import { itemOf } from './item.ts';
import { readOriginal } from './original.ts';
import type { RecalledItem, RecallOutcome, RecallParts, RecallRequest } from './recall-types.ts';
import { writeRef } from './ref.ts';

/** Messages read at a time. */
const CHUNK = 50;
/** How far from an unknown ref another is still near, in numbers. */
const NEAR = 50;

/** Offsets are characters of the originals in their order, without anything written around them. */
export async function readRange(
  { store, outputs }: RecallParts,
  sessionId: string,
  request: RecallRequest,
  range: MessageRange,
): Promise<RecallOutcome> {
  const items: RecalledItem[] = [];
  const found = (next: { from: MessageId; offset: number } | null): RecallOutcome => ({
    kind: 'found',
    items,
    next: next === null ? null : { ref: writeRef({ from: next.from, to: range.to }), offset: next.offset },
  });
  const offset = request.offset ?? 0;
  let skip = offset;
  let room = request.limitChars;
  let passed: number | null = null;
  for await (const message of messagesOf(store, sessionId, request.agentName, range)) {
    request.signal?.throwIfAborted();
    if (items.length > 0 && room <= request.itemChars) return found({ from: message.id, offset: 0 });
    const page = await readOriginal(message, outputs, skip, Math.max(1, room - request.itemChars));
    passed = (passed ?? 0) + page.totalChars;
    if (skip > 0 && skip >= page.totalChars) {
      skip -= page.totalChars;
      continue;
    }
    const item = itemOf(message, page, skip);
    items.push(item);
    if (item.nextOffset !== null) return found({ from: message.id, offset: item.nextOffset });
    room -= request.itemChars + countCharacters(page.text);
    skip = 0;
  }
  if (items.length > 0) return found(null);
  const ref = writeRef(range);
  if (passed !== null) return { kind: 'refused', reason: 'past-end', ref, offset, totalChars: passed };
  const nearest = await nearestTo(store, sessionId, request.agentName, range.from);
  return { kind: 'refused', reason: 'unknown-ref', ref, nearest };
}

async function* messagesOf(
  store: Store,
  sessionId: string,
  agentName: string,
  { from, to }: MessageRange,
): AsyncGenerator<Message> {
  for (let next = from; ; ) {
    const chunk = await store.readMessageRange(sessionId, { agentName, from: next, to, limit: CHUNK });
    yield* chunk;
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < CHUNK) return;
    next = messageId(ordinalOf(last.id) + 1);
  }
}

/** One ref below and one above, where there are any; of a number beyond the end, the last. */
async function nearestTo(
  store: Store,
  sessionId: string,
  agentName: string,
  wanted: MessageId,
): Promise<readonly MessageId[]> {
  const head = await store.readHead(sessionId);
  if (head === null) return [];
  const center = Math.min(ordinalOf(wanted), head.messages);
  const from = messageId(Math.max(1, center - NEAR));
  const to = messageId(center + NEAR);
  const near = await store.readMessageRange(sessionId, { agentName, from, to, limit: 2 * NEAR + 1 });
  const ids = near.map(({ id }) => id);
  const below = ids.findLast((id) => ordinalOf(id) <= center);
  const above = ids.find((id) => ordinalOf(id) > center);
  return [below, above].filter((id) => id !== undefined);
}
