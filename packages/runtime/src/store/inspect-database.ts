/** `doctor --db`: everything that can be checked of a database, in place, changing nothing; it may be in use. */
import { isDeepStrictEqual } from 'node:util';
import type { TurnEvent } from '@astroresearch/core';
import type Database from 'better-sqlite3';
import { readMark } from './commit-mark.ts';
import { type EventRow, toTurnEvent } from './event-rows.ts';
import { brokenStructure, countEvents, openReadOnly, refuseNewer, versionOf } from './file-check.ts';
import { MemorySession } from './in-memory-session.ts';
import { type MessageRow, toMessage } from './message-rows.ts';
import { MIGRATIONS } from './migrations.ts';
import { verified } from './row-hash.ts';
import { type LeaseRecord, type SessionRecord, type TaskRow, toSessionRow, toTask } from './session-rows.ts';
import { toStoreError } from './sqlite-errors.ts';

/** What is wrong. `sessionId` null: of the file as a whole. */
export type DatabaseFault = {
  readonly kind:
    | 'structure'
    | 'lost-commits'
    | 'gap'
    | 'damaged-row'
    | 'projection'
    | 'orphan-rows'
    | 'lease'
    | 'unreadable';
  readonly sessionId: string | null;
  readonly detail: string;
};

export type DatabaseReport = {
  readonly version: number;
  /** Only the newest version has hashes and so all checks; opening the file with this program brings it there. */
  readonly isNewest: boolean;
  readonly sessions: number;
  readonly events: number;
  readonly faults: readonly DatabaseFault[];
};

/** Throws `StoreError` where the file cannot be opened, is no database or has a newer version. */
export function inspectDatabase(path: string): DatabaseReport {
  let database: Database.Database | undefined;
  try {
    const marked = readMark(path);
    database = openReadOnly(path);
    const opened = database;
    return database.transaction(() => inspect(opened, path, marked))();
  } catch (error) {
    throw toStoreError(error, path);
  } finally {
    database?.close();
  }
}

function inspect(database: Database.Database, path: string, marked: number): DatabaseReport {
  const version = versionOf(database);
  refuseNewer(path, version);
  const faults: DatabaseFault[] = [];
  const note = (kind: DatabaseFault['kind'], sessionId: string | null, detail: string) =>
    void faults.push({ kind, sessionId, detail });
  const attempt = <T>(sessionId: string | null, read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      const fault = toStoreError(error, path);
      note(fault === error ? 'damaged-row' : 'unreadable', sessionId, fault.message);
      return otherwise;
    }
  };

  const broken = attempt(null, () => brokenStructure(database, 'integrity_check'), null);
  if (broken !== null) note('structure', null, broken);
  const events = attempt(null, () => countEvents(database), 0);
  if (events < marked) note('lost-commits', null, `${events} of ${marked}`);
  const isNewest = version === MIGRATIONS.length;
  if (!isNewest) return { version, isNewest, sessions: 0, events, faults };

  const select = 'SELECT session_id FROM agent_sessions ORDER BY created_at';
  const ids = attempt(null, () => database.prepare<[], string>(select).pluck().all(), []);
  for (const id of ids)
    attempt(id, () => inspectSession(database, id, (kind, detail) => note(kind, id, detail)), undefined);
  for (const table of ['agent_events', 'agent_messages', 'agent_tasks', 'agent_leases']) {
    const orphans = `SELECT count(*) FROM ${table} WHERE session_id NOT IN (SELECT session_id FROM agent_sessions)`;
    const count = attempt(null, () => Number(database.prepare(orphans).pluck().get()), 0);
    if (count > 0) note('orphan-rows', null, `${count} in ${table}`);
  }
  return { version, isNewest, sessions: ids.length, events, faults };
}

/** The log from its first event to its last, and what it projects beside what is stored. */
function inspectSession(
  database: Database.Database,
  sessionId: string,
  note: (kind: DatabaseFault['kind'], detail: string) => void,
): void {
  const all = <Row>(table: string, order: string): readonly Row[] =>
    database
      .prepare<[string], Row>(`SELECT * FROM ${table} WHERE session_id = ? ORDER BY ${order}`)
      .all(sessionId);
  const [record] = all<SessionRecord>('agent_sessions', 'session_id');
  const messageRows = all<MessageRow>('agent_messages', 'ordinal');
  const [lease] = all<LeaseRecord>('agent_leases', 'session_id');
  if (record === undefined) return;
  verified('agent_sessions', record);
  if (lease !== undefined) verified('agent_leases', lease);

  const rowOf = new Map(messageRows.map((row) => [row.id, row]));
  const rows = all<EventRow>('agent_events', 'seq');
  const highest = Math.max(0, ...rows.map(({ epoch }) => epoch));
  const log: TurnEvent[] = rows.map((row) =>
    toTurnEvent(row, row.message_id === null ? null : (rowOf.get(row.message_id) ?? null)),
  );
  const gap = log.findIndex(({ seq }, index) => seq !== index + 1);
  if (gap !== -1) {
    note('gap', `${gap + 1}`);
    return;
  }
  if (record.last_seq !== log.length) {
    note('gap', `${log.length + 1}–${record.last_seq}`);
    return;
  }
  if ((lease?.epoch ?? 0) < highest) note('lease', `${lease?.epoch ?? 0} < ${highest}`);

  const folded = new MemorySession(sessionId, log[0]?.atMs ?? 0);
  folded.append(log);
  if (folded.deleted !== (record.deleted === 1)) note('projection', 'agent_sessions.deleted');
  if (!isDeepStrictEqual(plain(folded.row), plain(toSessionRow(record))))
    note('projection', 'agent_sessions');
  if (!isDeepStrictEqual(plain(folded.messages), plain(messageRows.map(toMessage))))
    note('projection', 'agent_messages');
  const tasks = all<TaskRow>('agent_tasks', 'position').map(toTask);
  if (!isDeepStrictEqual(plain(folded.tasks), plain(tasks))) note('projection', 'agent_tasks');
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
