/** A copy of a database at one moment, while others write to it: one file, whole or not there. */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { brokenRows, brokenStructure, openReadOnly, versionOf } from './file-check.ts';
import { toStoreError } from './sqlite-errors.ts';
import { StoreError } from './store.ts';

/** Checks the copy before it gets its name. Throws `StoreError`: where `out` exists, and where the copy is damaged. */
export function backupDatabase(options: {
  readonly from: string;
  readonly out: string;
  /** Makes the name that the copy has until it is whole. */
  readonly ids: () => string;
}): void {
  const { from, out, ids } = options;
  const draft = `${out}.${ids()}`;
  let database: Database.Database | undefined;
  try {
    if (existsSync(out)) throw existsAlready(out);
    database = openReadOnly(from);
    // VACUUM INTO takes an empty file, and so its mode.
    closeSync(openSync(draft, 'wx', 0o600));
    database.prepare('VACUUM INTO ?').run(draft);
    check(draft, from);
    sync(draft);
    // Unlike a rename, a link never replaces what came meanwhile.
    linkSync(draft, out);
    sync(dirname(out));
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw isTaken ? existsAlready(out) : toStoreError(error, from);
  } finally {
    database?.close();
    rmSync(draft, { force: true });
  }
}

function check(copy: string, from: string): void {
  const database = openReadOnly(copy);
  try {
    const damage = brokenStructure(database, 'integrity_check') ?? brokenRows(database, versionOf(database));
    if (damage === null) return;
    throw new StoreError(
      'corrupt',
      `${from} is damaged (${damage}); no backup was made. Run \`astroresearch doctor --db\`.`,
    );
  } finally {
    database.close();
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

function existsAlready(out: string): StoreError {
  return new StoreError('failed', `${out} exists already; nothing was written. Name a new file.`);
}
