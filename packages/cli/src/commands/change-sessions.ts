/** `astroresearch sessions search|fork|delete`: finds sessions, branches off one, deletes one. */
import { messageId } from '@astroresearch/core';
import { EXIT } from '../exit-codes.ts';
import { withAstronomer } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { say, TEXTS } from '../texts.ts';
import { listLine, rowToJson } from './sessions.ts';

type JsonOption = { readonly json?: boolean };

export function searchSessions(query: string, options: JsonOption, terminal: Terminal): Promise<number> {
  return withAstronomer(terminal, {}, async ({ astronomer, language }) => {
    const { items } = await astronomer.agent.listSessions({ limit: 100, cursor: null, query });
    if (options.json === true) terminal.out(`${JSON.stringify({ items: items.map(rowToJson) }, null, 2)}\n`);
    else if (items.length === 0) terminal.error(`${say(TEXTS.noSessions, language)}\n`);
    else for (const row of items) terminal.out(`${listLine(row)}\n`);
    return EXIT.done;
  });
}

export function forkSession(
  id: string,
  options: JsonOption & { readonly message?: string },
  terminal: Terminal,
): Promise<number> {
  const wanted = options.message;
  if (wanted !== undefined && !/^m[1-9]\d{0,14}$/.test(wanted)) {
    terminal.error('--message must be a message id, as m42 (sessions show --json lists them)\n');
    return Promise.resolve(EXIT.wrongUse);
  }
  return withAstronomer(terminal, {}, async ({ astronomer, language }) => {
    const upTo = wanted === undefined ? null : messageId(Number(wanted.slice(1)));
    const outcome = await astronomer.agent.forkSession(id, upTo);
    if (outcome === null) {
      terminal.error(`${say(TEXTS.unknownSession, language, { id })}\n`);
      return EXIT.failed;
    }
    switch (outcome.kind) {
      case 'forked':
        if (options.json === true) terminal.out(`${JSON.stringify(rowToJson(outcome.session), null, 2)}\n`);
        else terminal.out(`${listLine(outcome.session)}\n`);
        return EXIT.done;
      case 'unknown-message':
        terminal.error(`${say(TEXTS.unknownMessage, language, { id, message: wanted ?? '' })}\n`);
        return EXIT.failed;
      default:
        return outcome satisfies never;
    }
  });
}

export function deleteSession(id: string, terminal: Terminal): Promise<number> {
  return withAstronomer(terminal, {}, async ({ astronomer, language }) => {
    if ((await astronomer.agent.deleteSession(id)) !== null) return EXIT.done;
    terminal.error(`${say(TEXTS.unknownSession, language, { id })}\n`);
    return EXIT.failed;
  });
}
