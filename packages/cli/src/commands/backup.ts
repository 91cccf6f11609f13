/** `astroresearch backup`: a copy of the database at one moment, also while the server runs. */
import path from 'node:path';
import { backupDatabase, StoreError, systemIds } from '@astroresearch/runtime';
import { EXIT } from '../exit-codes.ts';
import { readTerminalConfig } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { say, TEXTS } from '../texts.ts';

export function backup(file: string, terminal: Terminal): number {
  const read = readTerminalConfig(terminal);
  if (read === null) return EXIT.wrongUse;
  const { config, language } = read;
  const out = path.resolve(terminal.workingFolder, file);
  try {
    backupDatabase({ from: config.databasePath, out, ids: systemIds });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    terminal.error(`${say(TEXTS.storageFailed, language, { message: error.message })}\n`);
    return EXIT.failed;
  }
  terminal.out(`${say(TEXTS.backupDone, language, { out })}\n`);
  return EXIT.done;
}
