/** `astroresearch sessions import FILE…`: a new session from each file; one that cannot be read leaves nothing. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { IMPORT_FORMATS } from '@astroresearch/runtime';
import { EXIT } from '../exit-codes.ts';
import { withAstronomer } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { say, TEXTS, terminalLanguage } from '../texts.ts';

export function importSessions(
  files: readonly string[],
  options: { readonly format: string; readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const formats = ['auto', ...IMPORT_FORMATS] as const;
  const format = formats.find((known) => known === options.format);
  if (format === undefined) {
    const allowed = formats.join(', ');
    terminal.error(`${say(TEXTS.wrongFormat, terminalLanguage('auto', terminal.env), { allowed })}\n`);
    return Promise.resolve(EXIT.wrongUse);
  }
  return withAstronomer(terminal, {}, async ({ astronomer, language }) => {
    const imported: Record<string, unknown>[] = [];
    let code: number = EXIT.done;
    for (const file of files) {
      const text = await readText(path.resolve(terminal.workingFolder, file));
      const outcome =
        'fault' in text
          ? { kind: 'unreadable' as const, line: 1, reason: text.fault }
          : await astronomer.agent.importSession(text.text, { format });
      switch (outcome.kind) {
        case 'unreadable': {
          const { line, reason } = outcome;
          terminal.error(`${say(TEXTS.notImported, language, { file, line: String(line), reason })}\n`);
          code = EXIT.failed;
          break;
        }
        case 'imported': {
          const { session, report } = outcome;
          imported.push({ file, session_id: session.sessionId, title: session.title, ...report });
          if (options.json === true) break;
          const [messages, repairs, skipped] = [
            report.messages,
            report.repairs.length,
            report.skipped.length,
          ];
          const values = { file, id: session.sessionId, format: report.format, messages: String(messages) };
          terminal.out(`${say(TEXTS.imported, language, values)}\n`);
          if (repairs + skipped === 0) break;
          const counts = { repairs: String(repairs), skipped: String(skipped) };
          terminal.out(`${say(TEXTS.importRepaired, language, counts)}\n`);
          break;
        }
        default:
          outcome satisfies never;
      }
    }
    if (options.json === true) terminal.out(`${JSON.stringify({ sessions: imported }, null, 2)}\n`);
    return code;
  });
}

async function readText(file: string): Promise<{ readonly text: string } | { readonly fault: string }> {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
