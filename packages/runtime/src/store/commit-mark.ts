/**
 * How many events a database has ever held, in a file beside it: tells when the last of them are gone, because its
 * `-wal` file was deleted or it was copied without. Written after each commit and not waited for: it is never ahead of
 * the disk, and costs no second flush.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

export type CommitMark = {
  /** Never throws: the events are on disk already, and an old mark only notices less. */
  note(events: number): void;
  close(): void;
};

const DIGITS = 16;

const markPath = (path: string): string => `${path}.mark`;

/** 0: there is no mark that can be read. */
export function readMark(path: string): number {
  try {
    const events = Number(readFileSync(markPath(path), 'utf8'));
    return Number.isSafeInteger(events) ? events : 0;
  } catch {
    return 0;
  }
}

/** Makes the file where there is none. */
export function openMark(path: string): CommitMark {
  closeSync(openSync(markPath(path), 'a', 0o600));
  const file = openSync(markPath(path), 'r+');
  let noted = readMark(path);
  return {
    note(events) {
      if (events === noted) return;
      noted = events;
      try {
        writeSync(file, `${String(events).padStart(DIGITS, '0')}\n`, 0);
      } catch {
        // As promised.
      }
    },
    close: () => closeSync(file),
  };
}
