/** `astroresearch doctor --db`: checks a database in place, or saves what can be read of it into a new one. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '@astroresearch/core';
import {
  type DatabaseReport,
  inspectDatabase,
  StoreError,
  salvageDatabase,
  systemClock,
} from '@astroresearch/runtime';
import { EXIT } from '../exit-codes.ts';
import { readTerminalConfig } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { DATABASE_FAULTS, say, TEXTS } from '../texts.ts';

export type DoctorDatabaseOptions = {
  /** `true`: the configured one. */
  readonly db: string | true;
  readonly salvage?: string;
  readonly json?: boolean;
};

export async function doctorDatabase(options: DoctorDatabaseOptions, terminal: Terminal): Promise<number> {
  const read = readTerminalConfig(terminal);
  if (read === null) return EXIT.wrongUse;
  const { config, language } = read;
  const file = options.db === true ? config.databasePath : path.resolve(terminal.workingFolder, options.db);
  if (!existsSync(file)) {
    terminal.error(`${say(TEXTS.databaseMissing, language, { path: file })}\n`);
    return EXIT.wrongUse;
  }
  try {
    if (options.salvage !== undefined) {
      const out = path.resolve(terminal.workingFolder, options.salvage);
      return await salvage({ from: file, out, json: options.json === true }, language, terminal);
    }
    const report = inspectDatabase(file);
    if (options.json === true) terminal.out(`${JSON.stringify({ path: file, ...report }, null, 2)}\n`);
    else terminal.out(`${reportLines(file, report, language).join('\n')}\n`);
    return report.faults.length === 0 ? EXIT.done : EXIT.failed;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    terminal.error(`${say(TEXTS.storageFailed, language, { message: error.message })}\n`);
    return EXIT.failed;
  }
}

function reportLines(file: string, report: DatabaseReport, language: Language): readonly string[] {
  const { faults, isNewest, version, sessions, events } = report;
  if (faults.length > 0) {
    const told = faults.map(({ kind, sessionId, detail }) => {
      const text = say(DATABASE_FAULTS[kind], language, { detail });
      return `✗ ${sessionId === null ? '' : `${sessionId}: `}${text}`;
    });
    return [...told, `→ ${say(TEXTS.databaseDamaged, language, { path: file })}`];
  }
  const counts = { sessions: String(sessions), events: String(events), version: String(version) };
  return isNewest
    ? [`✓ ${say(TEXTS.databaseSound, language, counts)}`]
    : [`· ${say(TEXTS.databaseOld, language, counts)}`];
}

async function salvage(
  options: { readonly from: string; readonly out: string; readonly json: boolean },
  language: Language,
  terminal: Terminal,
): Promise<number> {
  const { from, out, json } = options;
  const sessions = await salvageDatabase({ from, out, clock: systemClock });
  if (json) {
    terminal.out(`${JSON.stringify({ out, sessions }, null, 2)}\n`);
    return EXIT.done;
  }
  for (const { sessionId: session, events, left } of sessions) {
    const counts = { session, events: String(events), left: String(left) };
    terminal.out(`${say(left === 0 ? TEXTS.salvaged : TEXTS.salvagedPart, language, counts)}\n`);
  }
  terminal.out(`${say(TEXTS.salvageDone, language, { out })}\n`);
  return EXIT.done;
}
