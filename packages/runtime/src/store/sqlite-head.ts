/** Where a session's log ends, read from its rows and checked against their hashes. */
import type { StoredHead } from './append-rules.ts';
import { verified } from './row-hash.ts';
import type { LeaseRecord } from './session-rows.ts';
import type { Statements } from './sqlite-statements.ts';

export type SqliteHead = StoredHead & { readonly messages: number };

/** Deleted sessions have one too. Null: there never was such a session. Throws `StoreError` where a row is damaged. */
export function readSqliteHead(statements: Statements, sessionId: string): SqliteHead | null {
  const record = statements.readSession.get(sessionId);
  if (record === undefined) return null;
  const { last_seq: seq, last_message: messages, deleted } = verified('agent_sessions', record);
  const epoch = readLease(statements, sessionId)?.epoch ?? 0;
  return { seq, epoch, messages, deleted: deleted === 1 };
}

/** Null: nobody ever held it. */
export function readLease(statements: Statements, sessionId: string): LeaseRecord | null {
  const record = statements.readLease.get(sessionId);
  return record === undefined ? null : verified('agent_leases', record);
}
