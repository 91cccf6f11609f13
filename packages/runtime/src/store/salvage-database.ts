/** `doctor --db --salvage`: every session's log up to its first damaged event, into a new database. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TurnEvent } from '@astroresearch/core';
import Database from 'better-sqlite3';
import type { Clock } from '../ports.ts';
import { type EventRow, toTurnEvent } from './event-rows.ts';
import type { MessageRow } from './message-rows.ts';
import { openSqliteStore } from './sqlite.ts';
import { toStoreError } from './sqlite-errors.ts';
import { type Store, StoreError } from './store.ts';

export type SalvagedSession = {
  readonly sessionId: string;
  readonly events: number;
  /** Events that were found behind the first damaged or missing one. */
  readonly left: number;
};

const BATCH_ROWS = 500;

/**
 * The database at `from` stays as it is: a copy of it is read, row by row, past its indexes. Projections of the new one
 * come from the logs; leases begin anew. Throws `StoreError` where `out` exists, or nothing at all can be read.
 */
export async function salvageDatabase(options: {
  readonly from: string;
  readonly out: string;
  readonly clock: Clock;
}): Promise<readonly SalvagedSession[]> {
  const { from, out, clock } = options;
  if (existsSync(out)) throw new StoreError('failed', `${out} exists already. Name a new file.`);
  let folder: string | undefined;
  let store: Store | undefined;
  try {
    folder = mkdtempSync(join(dirname(out), '.salvage-'));
    const { events, messages } = readCopy(from, join(folder, 'copy.db'));
    store = openSqliteStore({ path: out, clock });
    const salvaged: SalvagedSession[] = [];
    for (const [sessionId, rows] of events) {
      const log = readableLog(rows, messages.get(sessionId) ?? new Map());
      const written = await writeLog(store, sessionId, log);
      salvaged.push({ sessionId, events: written, left: rows.size - written });
    }
    return salvaged;
  } catch (error) {
    throw toStoreError(error, from);
  } finally {
    await store?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}

type Found<Row> = Map<string, Map<number, Row>>;

function readCopy(from: string, copy: string): { events: Found<EventRow>; messages: Found<MessageRow> } {
  copyFileSync(from, copy);
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${copy}-wal`);
  const database = new Database(copy);
  try {
    // A damaged row is refused by its hash; a damaged page must not keep the others from being read.
    database.pragma('cell_size_check = ON');
    const events: Found<EventRow> = new Map();
    for (const row of rowsOf<EventRow>(database, 'agent_events')) keep(events, row.session_id, row.seq, row);
    const messages: Found<MessageRow> = new Map();
    for (const row of rowsOf<MessageRow>(database, 'agent_messages')) {
      keep(messages, row.session_id, row.ordinal, row);
    }
    return { events, messages };
  } finally {
    database.close();
  }
}

function keep<Row>(found: Found<Row>, sessionId: string, number: number, row: Row): void {
  const rows = found.get(sessionId) ?? new Map<number, Row>();
  found.set(sessionId, rows.set(number, row));
}

/** By row number, in batches; where one fails, one by one. */
function* rowsOf<Row>(database: Database.Database, table: string): Generator<Row> {
  const select = `SELECT * FROM ${table} NOT INDEXED WHERE rowid BETWEEN ? AND ?`;
  const statement = database.prepare<[number, number], Row>(select);
  const last = lastRow(database, table);
  for (let first = 1; first <= last; first += BATCH_ROWS) {
    const batch = attempt(() => statement.all(first, first + BATCH_ROWS - 1));
    if (batch !== null) yield* batch;
    else {
      for (let row = first; row < first + BATCH_ROWS; row++)
        yield* attempt(() => statement.all(row, row)) ?? [];
    }
  }
}

/** Where the last page cannot be read: the last number that one can be read after. */
function lastRow(database: Database.Database, table: string): number {
  const max = `SELECT max(rowid) FROM ${table} NOT INDEXED`;
  const last = attempt(() => Number(database.prepare(max).pluck().get() ?? 0));
  if (last !== null) return last;
  const above = database.prepare(`SELECT rowid FROM ${table} NOT INDEXED WHERE rowid > ? LIMIT 1`).pluck();
  let known = 0;
  for (let step = 2 ** 40; step >= 1; step /= 2) {
    if (attempt(() => above.get(known + step)) != null) known += step;
  }
  return known + BATCH_ROWS;
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** From the first event on, as long as each one and the message it carries are what was written. */
function readableLog(
  rows: ReadonlyMap<number, EventRow>,
  messages: ReadonlyMap<number, MessageRow>,
): readonly TurnEvent[] {
  const log: TurnEvent[] = [];
  for (let seq = 1; ; seq++) {
    const row = rows.get(seq);
    if (row === undefined) return log;
    const carried = row.message_id === null ? null : (messages.get(Number(row.message_id.slice(1))) ?? null);
    const event = attempt(() => toTurnEvent(row, carried));
    if (event === null) return log;
    log.push(event);
  }
}

async function writeLog(store: Store, sessionId: string, log: readonly TurnEvent[]): Promise<number> {
  for (let seq = 0; seq < log.length; seq += BATCH_ROWS) {
    const outcome = await store.append(sessionId, seq, 0, log.slice(seq, seq + BATCH_ROWS));
    if (outcome.kind !== 'appended') return seq;
  }
  return log.length;
}
