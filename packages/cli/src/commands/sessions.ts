/** `astroresearch sessions list|show`: what is stored. */
import { isoTime, messageToWire, reasoningOf, textOf, toolCallsOf } from '@astroresearch/core';
import { cleanText, type SessionRow } from '@astroresearch/runtime';
import { EXIT } from '../exit-codes.ts';
import { withAstronomer } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { say, TEXTS } from '../texts.ts';

const PAGE_MESSAGES = 500;

export function listSessions(
  options: { readonly limit: string; readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    terminal.error('--limit must be a whole number from 1\n');
    return Promise.resolve(EXIT.wrongUse);
  }
  return withAstronomer(terminal, {}, async ({ astronomer, language }) => {
    const { items } = await astronomer.agent.listSessions({ limit, cursor: null, query: null });
    if (options.json === true) terminal.out(`${JSON.stringify({ items: items.map(rowToJson) }, null, 2)}\n`);
    else if (items.length === 0) terminal.error(`${say(TEXTS.noSessions, language)}\n`);
    else for (const row of items) terminal.out(`${listLine(row)}\n`);
    return EXIT.done;
  });
}

export function showSession(
  id: string,
  options: { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  return withAstronomer(terminal, {}, async ({ astronomer, language }) => {
    const { agent } = astronomer;
    const row = await agent.readSession(id);
    if (row === null) {
      terminal.error(`${say(TEXTS.unknownSession, language, { id })}\n`);
      return EXIT.failed;
    }
    const messages = [];
    for (;;) {
      const after = messages.at(-1)?.id ?? null;
      const page = await agent.readMessages(id, { agentName: 'lead', after, limit: PAGE_MESSAGES });
      messages.push(...(page ?? []));
      if ((page ?? []).length < PAGE_MESSAGES) break;
    }
    if (options.json === true) {
      const items = messages.map((message) => messageToWire(id, message));
      terminal.out(`${JSON.stringify({ session: rowToJson(row), messages: items }, null, 2)}\n`);
      return EXIT.done;
    }
    terminal.out(`${listLine(row)}\n`);
    for (const message of messages) {
      if (message.role === 'system') continue;
      const calls = toolCallsOf(message).map((call) => `→ ${call.name} ${call.arguments}`);
      const thought = reasoningOf(message);
      const lines = [thought === '' ? '' : `(${thought})`, textOf(message), ...calls].filter(
        (line) => line !== '',
      );
      terminal.out(`\n[${message.id} ${message.role}]\n${cleanText(lines.join('\n'))}\n`);
    }
    return EXIT.done;
  });
}

export function listLine(row: SessionRow): string {
  return `${row.sessionId}  ${isoTime(row.updatedAtMs)}  ${row.turnCount}  ${cleanText(row.title).replaceAll('\n', ' ')}`;
}

export function rowToJson(row: SessionRow): Record<string, unknown> {
  return {
    session_id: row.sessionId,
    title: row.title,
    model: row.model,
    turn_count: row.turnCount,
    status: row.status,
    created_at: isoTime(row.createdAtMs),
    updated_at: isoTime(row.updatedAtMs),
  };
}
