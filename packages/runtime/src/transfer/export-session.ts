/** A session as lines of text, of one moment of its log, read page by page. */
import { LEAD, openAiMessage, ordinalOf } from '@astroresearch/core';
import type { Clock } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { redactor } from './redact.ts';
import { sessionHeader, toEventLine } from './session-file.ts';
import type { ExportFormat } from './transfer-types.ts';

const PAGE = 500;

export type ExportParts = {
  readonly store: Store;
  readonly clock: Clock;
  /** Never in an export. */
  readonly secrets: readonly string[];
};

/** Null: no such session. Each line ends with its newline. Iterating throws where the session is deleted meanwhile. */
export async function exportSession(
  parts: ExportParts,
  sessionId: string,
  format: ExportFormat,
): Promise<AsyncIterable<string> | null> {
  const [row, head] = [await parts.store.readSession(sessionId), await parts.store.readHead(sessionId)];
  if (row === null || head === null) return null;
  const redact = redactor(parts.secrets);
  const lines = (values: AsyncIterable<unknown>) => toLines(values, redact);
  switch (format) {
    case 'jsonl': {
      const header = sessionHeader(row, head.seq, parts.clock.nowMs());
      return lines(sessionLines(parts.store, sessionId, header, head.seq));
    }
    case 'openai':
      return lines(chatMessages(parts.store, sessionId, head.messages));
    default:
      return format satisfies never;
  }
}

async function* toLines(values: AsyncIterable<unknown>, redact: <T>(value: T) => T): AsyncIterable<string> {
  for await (const value of values) yield `${JSON.stringify(redact(value))}\n`;
}

async function* sessionLines(
  store: Store,
  sessionId: string,
  header: unknown,
  lastSeq: number,
): AsyncIterable<unknown> {
  yield header;
  for (let seq = 0; seq < lastSeq; ) {
    const page = await store.readEvents(sessionId, seq, Math.min(PAGE, lastSeq - seq));
    if (page.length === 0) throw new Error(`session ${sessionId} was deleted while it was exported`);
    for (const event of page) yield toEventLine(event);
    seq += page.length;
  }
}

/** The lead's stored messages: originals, whatever its view shows. */
async function* chatMessages(store: Store, sessionId: string, lastOrdinal: number): AsyncIterable<unknown> {
  let after = null;
  for (;;) {
    const page = await store.readMessages(sessionId, { agentName: LEAD, after, limit: PAGE });
    for (const message of page) {
      if (ordinalOf(message.id) > lastOrdinal) return;
      yield openAiMessage(message);
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) return;
  }
}
