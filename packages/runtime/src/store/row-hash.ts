/** A hash over a row's columns, stored with it: SQLite checks the structure of a file, nobody else its contents. */
import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { StoreError } from './store.ts';

type Column = string | number | bigint | null;

/** 96 bits: far more than a failing disk can hit by chance. It is no seal against an attacker. */
const HASH_CHARS = 16;

/** The columns that a table's hash covers, in order. Released ones are never changed, only extended by a migration. */
const HASHED = {
  agent_sessions:
    'session_id, title, summary, model, turn_count, status, metadata, created_at, updated_at, last_seq, last_message, deleted',
  agent_events: 'session_id, seq, epoch, type, turn_id, agent_name, step, data, message_id, created_at',
  agent_messages:
    'session_id, id, ordinal, agent_name, turn_index, step, role, content, thought, tool_calls, tool_call_id, parts, token_count, metadata, raw_json, created_at',
  agent_tasks: 'session_id, position, task_id, content, status, blocked_by, owner',
  agent_leases: 'session_id, owner, epoch, expires_at',
} as const;

export type HashedTable = keyof typeof HASHED;

export const HASHED_TABLES = Object.keys(HASHED) as readonly HashedTable[];

const COLUMNS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(HASHED).map(([table, list]) => [table, list.split(', ')]),
);

/** The SQL expression of a row's hash, from its own columns. */
export const hashOf = (table: HashedTable): string => `row_hash(${HASHED[table]})`;

/** Length and kind stand before each value, so that no two rows read the same. */
function rowHash(values: readonly Column[]): string {
  const text = values.map((value) =>
    value === null ? 'n' : typeof value === 'string' ? `s${value.length};${value}` : `i${value};`,
  );
  return hash('sha256', text.join(''), 'base64url').slice(0, HASH_CHARS);
}

/** The row with its hash. */
export function sealed<Row extends object>(table: HashedTable, row: Row): Row & { readonly hash: string } {
  return { ...row, hash: rowHash(columnsOf(table, row)) };
}

/** Throws `StoreError` of kind `corrupt` where the row is not what was written. */
export function verified<Row extends { readonly hash: string | null }>(table: HashedTable, row: Row): Row {
  if (isIntact(table, row)) return row;
  const { session_id: sessionId, seq, id } = row as { session_id?: string; seq?: number; id?: string };
  const place = [sessionId, seq ?? id].filter((part) => part !== undefined).join(' ');
  throw new StoreError(
    'corrupt',
    `A row of ${table} (${place}) is not what was written. Stop the program and run \`astroresearch doctor --db\`.`,
  );
}

function isIntact(table: HashedTable, row: { readonly hash: string | null }): boolean {
  return row.hash === rowHash(columnsOf(table, row));
}

/** Lets SQL compute it too: for rows that a statement changes in place. */
export function addRowHash(database: Database.Database): void {
  database.function('row_hash', { deterministic: true, varargs: true }, (...values) =>
    rowHash(values as Column[]),
  );
}

function columnsOf(table: HashedTable, row: object): readonly Column[] {
  const values = row as Readonly<Record<string, Column | undefined>>;
  return (COLUMNS.get(table) ?? []).map((name) => values[name] ?? null);
}
