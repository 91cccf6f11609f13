/** Every error that SQLite or the file system may report has a kind and says what to do. */
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { concernsStatementAlone, toStoreError } from './sqlite-errors.ts';
import { StoreError } from './store.ts';

const sqlite = (code: string) => new Database.SqliteError('reason', code);
const system = (code: string) => Object.assign(new Error('reason'), { code });

describe('toStoreError', () => {
  it.each([
    [sqlite('SQLITE_BUSY'), 'busy', /Try again/],
    [sqlite('SQLITE_BUSY_SNAPSHOT'), 'busy', /Try again/],
    [sqlite('SQLITE_LOCKED_SHAREDCACHE'), 'busy', /Try again/],
    [sqlite('SQLITE_FULL'), 'full', /Free some space/],
    [system('ENOSPC'), 'full', /Free some space/],
    [sqlite('SQLITE_READONLY_DBMOVED'), 'read_only', /writable/],
    [sqlite('SQLITE_CANTOPEN'), 'read_only', /writable/],
    [system('EACCES'), 'read_only', /writable/],
    [system('EROFS'), 'read_only', /writable/],
    [sqlite('SQLITE_CORRUPT_INDEX'), 'corrupt', /restore a copy/],
    [sqlite('SQLITE_NOTADB'), 'corrupt', /restore a copy/],
    [new SyntaxError('reason'), 'corrupt', /restore a copy/],
    [sqlite('SQLITE_IOERR_FSYNC'), 'failed', /Check the disk/],
    [system('EMFILE'), 'failed', /ulimit -n/],
    [sqlite('SQLITE_ERROR'), 'failed', /Check the disk/],
    [new Database.SqliteError('reason: malformed JSON', 'SQLITE_ERROR'), 'corrupt', /doctor --db/],
    [sqlite('SQLITE_CONSTRAINT_PRIMARYKEY'), 'failed', /take the next one/],
    [new TypeError('reason'), 'failed', /not JSON/],
    ['reason', 'failed', /Check the disk/],
  ])('%o is `%s`', (error, kind, advice) => {
    const fault = toStoreError(error, '/data/agent.db');
    expect(fault).toMatchObject({ name: 'StoreError', kind, cause: error });
    expect(fault.message).toMatch(advice);
    expect(fault.message).toContain('reason');
  });

  it('leaves a StoreError as it is', () => {
    const fault = new StoreError('busy', 'as it was');
    expect(toStoreError(fault, 'x')).toBe(fault);
  });
});

describe('concernsStatementAlone', () => {
  it('is true of refused values and false of failed storage', () => {
    expect(concernsStatementAlone(sqlite('SQLITE_CONSTRAINT_UNIQUE'))).toBe(true);
    expect(concernsStatementAlone(new RangeError('too many values'))).toBe(true);
    for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY', 'SQLITE_CORRUPT']) {
      expect(concernsStatementAlone(sqlite(code))).toBe(false);
    }
  });
});
