/** What SQLite or the file system reports → `StoreError` with advice, in one table (reliability.md 2.4). */
import Database from 'better-sqlite3';
import { StoreError, type StoreErrorKind } from './store.ts';

/** A code, or what it begins with before a `_`; whatever is not listed has `failed`. */
const KIND_OF_CODE: readonly (readonly [code: string, kind: StoreErrorKind])[] = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_CANTOPEN', 'read_only'],
  ['SQLITE_PERM', 'read_only'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
  ['EACCES', 'read_only'],
  ['EPERM', 'read_only'],
  ['EROFS', 'read_only'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
];

export function toStoreError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const kind = isBrokenContent(error, reason) ? 'corrupt' : kindOf(code);
  const advice = callersFault(error, code) ?? tooManyFiles(code, path) ?? adviceFor(kind, path);
  return new StoreError(kind, `${advice} (${reason}).`, { cause: error });
}

/** Null: the storage's own. */
function callersFault(error: unknown, code: string): string | null {
  if (error instanceof TypeError) return 'Nothing was written: a value is not JSON';
  if (!code.startsWith('SQLITE_CONSTRAINT')) return null;
  return 'Nothing was written: this number or id is stored already, take the next one';
}

/** JSON that is none, and a schema that lacks what every version of it has. */
function isBrokenContent(error: unknown, reason: string): boolean {
  return error instanceof SyntaxError || /malformed JSON|no such (table|column)/.test(reason);
}

function tooManyFiles(code: string, path: string): string | null {
  if (code !== 'EMFILE' && code !== 'ENFILE') return null;
  return `${path} cannot be opened, since too many files are open. Raise the limit (ulimit -n), or stop other programs`;
}

/** True when the error concerns the refused statement alone, so that the rest of its transaction may go on. */
export function concernsStatementAlone(error: unknown): boolean {
  return !(error instanceof Database.SqliteError) || error.code.startsWith('SQLITE_CONSTRAINT');
}

function kindOf(code: string): StoreErrorKind {
  const row = KIND_OF_CODE.find(([listed]) => code === listed || code.startsWith(`${listed}_`));
  return row?.[1] ?? 'failed';
}

function adviceFor(kind: StoreErrorKind, path: string): string {
  switch (kind) {
    case 'busy':
      return `Another process is writing to ${path}; nothing was written. Try again in a moment, or stop that process`;
    case 'full':
      return `There is no space left for ${path}; nothing was written. Free some space, then try again`;
    case 'read_only':
      return `${path} cannot be opened for writing. Make the file and its folder writable for this user, and see that not too many files are open (ulimit -n)`;
    case 'corrupt':
      return `${path} is damaged or not a database; it was left as it is. \`astroresearch doctor --db --salvage NEW.db\` saves what can be read; or move it away and restore a copy`;
    case 'newer_version':
      return `${path} was written by a newer version; it was left as it is. Update the program`;
    case 'fenced':
      return `Another process has taken over in ${path}; nothing was written. Try again in a moment`;
    case 'failed':
      return `The database ${path} failed; nothing was written. Check the disk, then restart the program`;
    default:
      return kind satisfies never;
  }
}
