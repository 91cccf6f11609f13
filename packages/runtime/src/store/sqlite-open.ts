/** Opens the database file: private to its user, brought to the newest schema, set up for durable commits. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { MIGRATIONS } from './migrations.ts';
import { toStoreError } from './sqlite-errors.ts';
import { StoreError } from './store.ts';

/** While opening nothing else runs yet: waiting may block. */
const OPENING_WAIT_MS = 2_000;
/** Later a wait blocks the whole process: it is short, and repeated from outside (group-commit.ts). */
const BUSY_WAIT_MS = 5;

/** Throws `StoreError`; a file of a newer version or none of ours is left as it is. */
export function openDatabase(path: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    makePrivateFile(path);
    database = new Database(path, { timeout: OPENING_WAIT_MS });
    refuseNewer(database, path);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    migrate(database, path);
    database.pragma(`busy_timeout = ${BUSY_WAIT_MS}`);
    return database;
  } catch (error) {
    database?.close();
    throw toStoreError(error, path);
  }
}

/** SQLite gives its side files the mode of the main one. What exists already keeps its mode. */
function makePrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

function versionOf(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

function refuseNewer(database: Database.Database, path: string): void {
  const version = versionOf(database);
  if (version > MIGRATIONS.length) {
    throw new StoreError(
      'newer_version',
      `${path} has schema version ${version}; this program knows ${MIGRATIONS.length}. It was left as it is: update the program, or name another file.`,
    );
  }
}

/** Reads the version under the write lock: another process may be migrating too. */
function migrate(database: Database.Database, path: string): void {
  const step = database.transaction((): boolean => {
    refuseNewer(database, path);
    const version = versionOf(database);
    const sql = MIGRATIONS[version];
    if (sql === undefined) return false;
    database.exec(sql);
    database.pragma(`user_version = ${version + 1}`);
    return true;
  });
  while (versionOf(database) < MIGRATIONS.length && step.immediate());
}
