/** Where the next page of the session list begins: behind one session, by creation and id; opaque to clients. */
import type { Page, SessionRow } from './store.ts';

export type ListPosition = { readonly createdAtMs: number; readonly sessionId: string };

/** Before the newest session. */
const START: ListPosition = { createdAtMs: Number.MAX_SAFE_INTEGER, sessionId: '' };

/** Null: no list ever gave out this cursor. */
export function readCursor(cursor: string | null): ListPosition | null {
  if (cursor === null) return START;
  const [time, ...id] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const createdAtMs = Number(time);
  return id.length === 0 || !Number.isSafeInteger(createdAtMs)
    ? null
    : { createdAtMs, sessionId: id.join(' ') };
}

/** `rows`: up to one more than `limit`, which tells that there is a next page. */
export function toPage(rows: readonly SessionRow[], limit: number): Page<SessionRow> {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : writeCursor(last) };
}

function writeCursor({ createdAtMs, sessionId }: ListPosition): string {
  return Buffer.from(`${createdAtMs} ${sessionId}`).toString('base64url');
}
