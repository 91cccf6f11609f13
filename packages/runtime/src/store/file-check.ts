/** Looks at a database before it is used, and changes nothing: version, lost commits, structure, contents. */
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { readMark } from './commit-mark.ts';
import { MIGRATIONS } from './migrations.ts';
import { addRowHash, HASHED_TABLES, hashOf } from './row-hash.ts';
import { StoreError } from './store.ts';

/** About a tenth of a second for everything; larger files are checked by `doctor --db`, and row by row when read. */
const FULL_CHECK_BYTES = 16 * 2 ** 20;
/** After a crash: about a second. */
const QUICK_CHECK_BYTES = 256 * 2 ** 20;

const WAIT_MS = 2_000;

/** Throws `StoreError` where the file must not be written to. A missing or empty file is a new database. */
export function checkFile(path: string): void {
  // Before the database: whoever commits writes the mark afterwards.
  const marked = readMark(path);
  const bytes = sizeOf(path);
  const log = sizeOf(`${path}-wal`);
  if (bytes === 0 && log === 0) {
    refuseLost(path, 0, marked);
    return;
  }
  const database = openReadOnly(path);
  try {
    const version = versionOf(database);
    refuseNewer(path, version);
    refuseLost(path, countEvents(database), marked);
    const damage =
      bytes <= FULL_CHECK_BYTES
        ? (brokenStructure(database, 'integrity_check') ?? brokenRows(database, version))
        : log > 0 && bytes <= QUICK_CHECK_BYTES
          ? brokenStructure(database, 'quick_check')
          : null;
    if (damage !== null) throw damaged(path, damage);
  } finally {
    database.close();
  }
}

/** For looking only: it never writes to the database file, nor moves its log into it. */
export function openReadOnly(path: string): Database.Database {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: WAIT_MS });
  addRowHash(database);
  return database;
}

export function versionOf(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

export function refuseNewer(path: string, version: number): void {
  if (version <= MIGRATIONS.length) return;
  throw new StoreError(
    'newer_version',
    `${path} has schema version ${version}; this program knows ${MIGRATIONS.length}. It was left as it is: update the program, or name another file.`,
  );
}

/** Of all sessions. Events are never deleted, so their row numbers have no gaps. */
export function countEvents(database: Database.Database): number {
  const table = `SELECT 1 FROM sqlite_schema WHERE name = 'agent_events'`;
  if (database.prepare(table).get() === undefined) return 0;
  return Number(database.prepare('SELECT coalesce(max(rowid), 0) FROM agent_events').pluck().get());
}

/** The first thing that is wrong; null: nothing. Rows have hashes since version 3. */
export function brokenRows(database: Database.Database, version: number): string | null {
  if (version < MIGRATIONS.length) return null;
  const broken = HASHED_TABLES.find(
    (table) =>
      database.prepare(`SELECT 1 FROM ${table} WHERE hash IS NOT ${hashOf(table)} LIMIT 1`).get() !==
      undefined,
  );
  return broken === undefined ? null : `a row of ${broken} is not what was written`;
}

/** `integrity_check` compares the indexes with their tables too. */
export function brokenStructure(
  database: Database.Database,
  check: 'quick_check' | 'integrity_check',
): string | null {
  const found = String(database.pragma(`${check}(1)`, { simple: true }));
  return found === 'ok' ? null : found.replaceAll('\n', ' ');
}

function refuseLost(path: string, events: number, marked: number): void {
  if (events >= marked) return;
  throw new StoreError(
    'corrupt',
    `${path} holds ${events} events, and ${marked} were written: its -wal file is missing, or an older copy lies here. Put the missing file back. If the older state is what you want, delete ${path}.mark and start again.`,
  );
}

function damaged(path: string, damage: string): StoreError {
  return new StoreError(
    'corrupt',
    `${path} is damaged (${damage}); it was left as it is. \`astroresearch doctor --db --salvage NEW.db\` saves what can be read.`,
  );
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
