/** Opens the database file: checked, private to its user, brought to the newest schema, set up for durable commits. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { checkFile, refuseNewer, versionOf } from './file-check.ts';
import { type Host, refuseOtherHost, releaseHostLock, takeHostLock, thisHost } from './host-lock.ts';
import { MIGRATIONS } from './migrations.ts';
import { addRowHash } from './row-hash.ts';
import { toStoreError } from './sqlite-errors.ts';

/** While opening nothing else runs yet: waiting may block. */
const OPENING_WAIT_MS = 2_000;
/** Later a wait blocks the whole process: it is short, and repeated from outside (group-commit.ts). */
const BUSY_WAIT_MS = 5;

/** Where a test may end the process: before step `n` of the schema is committed, and after. */
type Passed = (point: 'before-commit' | 'after-commit', version: number) => void;

/** Throws `StoreError`; a file that is damaged, of a newer version or none of ours is left as it is. */
export function openDatabase(
  path: string,
  options: { readonly host?: Host; readonly passed?: Passed } = {},
): Database.Database {
  const { host = thisHost(), passed = () => {} } = options;
  let database: Database.Database | undefined;
  try {
    refuseOtherHost(path, host);
    makePrivateFile(path);
    checkFile(path);
    takeHostLock(path, host);
    database = new Database(path, { timeout: OPENING_WAIT_MS });
    addRowHash(database);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    migrate(database, path, passed);
    database.pragma(`busy_timeout = ${BUSY_WAIT_MS}`);
    return database;
  } catch (error) {
    if (database !== undefined) closeDatabase(database, path);
    throw toStoreError(error, path);
  }
}

/** May be called again. */
export function closeDatabase(database: Database.Database, path: string): void {
  if (!database.open) return;
  database.close();
  releaseHostLock(path);
}

/** SQLite gives its side files the mode of the main one. A folder that exists already keeps its mode. */
function makePrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) makePrivate(file);
}

/** Takes the rights of others away; gives its owner none that were not there. */
function makePrivate(file: string): void {
  const { mode, uid } = statSync(file);
  if ((mode & 0o077) !== 0 && uid === process.geteuid?.()) chmodSync(file, mode & 0o700);
}

/** Reads the version under the write lock: another process may be migrating too. */
function migrate(database: Database.Database, path: string, passed: Passed): void {
  const step = database.transaction((): number | null => {
    const version = versionOf(database);
    refuseNewer(path, version);
    const sql = MIGRATIONS[version];
    if (sql === undefined) return null;
    database.exec(sql);
    database.pragma(`user_version = ${version + 1}`);
    passed('before-commit', version + 1);
    return version + 1;
  });
  while (versionOf(database) < MIGRATIONS.length) {
    const version = step.immediate();
    if (version === null) return;
    passed('after-commit', version);
  }
}
