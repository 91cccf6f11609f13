/** `astroresearch sessions export`: a session as a file of lines, on standard output or in a file that is whole or not there. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { EXPORT_FORMATS } from '@astroresearch/runtime';
import { EXIT } from '../exit-codes.ts';
import { withAstronomer } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { say, TEXTS, terminalLanguage } from '../texts.ts';

export function exportSession(
  id: string,
  options: { readonly format: string; readonly out?: string },
  terminal: Terminal,
): Promise<number> {
  const format = EXPORT_FORMATS.find((known) => known === options.format);
  if (format === undefined) {
    const allowed = EXPORT_FORMATS.join(', ');
    terminal.error(`${say(TEXTS.wrongFormat, terminalLanguage('auto', terminal.env), { allowed })}\n`);
    return Promise.resolve(EXIT.wrongUse);
  }
  return withAstronomer(terminal, {}, async ({ astronomer, language }) => {
    const lines = await astronomer.agent.exportSession(id, { format });
    if (lines === null) {
      terminal.error(`${say(TEXTS.unknownSession, language, { id })}\n`);
      return EXIT.failed;
    }
    if (options.out === undefined) {
      for await (const line of lines) {
        terminal.out(line);
        await terminal.flush();
      }
      return EXIT.done;
    }
    const file = path.resolve(terminal.workingFolder, options.out);
    await writeLines(file, lines);
    terminal.error(`${say(TEXTS.exported, language, { file })}\n`);
    return EXIT.done;
  });
}

/** A session holds what people wrote: for this user alone. */
const FILE_MODE = 0o600;

/** Beside its place, then moved there: a file of this name is the old one or the whole new one (CP29). */
async function writeLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  const temporary = path.join(path.dirname(file), `.${randomUUID()}.tmp`);
  const handle = await open(temporary, 'wx', FILE_MODE);
  try {
    try {
      for await (const line of lines) await handle.write(line);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
