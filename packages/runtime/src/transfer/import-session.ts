/** A file of any known format → a new session, stored in one append: whole, or not at all. */
import {
  agentOf,
  chooseLanguage,
  closeInterrupted,
  countMessage,
  isFromPerson,
  LEAD,
  type Message,
  messageId,
  type NewEvent,
  type Part,
  parseTrajectory,
  repairHistory,
  repairTexts,
  textOf,
} from '@astroresearch/core';
import type { AgentParts } from '../agent-parts.ts';
import { assemblePrompt } from '../session/prompt.ts';
import { StoreError } from '../store/store.ts';
import { finishTurn } from '../turn/finish-turn.ts';
import { systemMessage } from '../turn/new-message.ts';
import { isTooDeep } from './json-lines.ts';
import { messageLog } from './message-log.ts';
import { readClaudeCode } from './read-claude-code.ts';
import { readCodex } from './read-codex.ts';
import { readPi } from './read-pi.ts';
import { type ReadLog, readSessionFile } from './read-session-file.ts';
import { recogniseFormat } from './recognise.ts';
import type {
  ImportFormat,
  ImportOutcome,
  ImportReport,
  ReadConversation,
  Unreadable,
} from './transfer-types.ts';

type Ready = { readonly kind: 'ready'; readonly events: readonly NewEvent[]; readonly report: ImportReport };

/** Rejects with `StoreError` alone. */
export async function importSession(
  parts: AgentParts,
  text: string,
  wanted: ImportFormat | 'auto',
): Promise<ImportOutcome> {
  const format = wanted === 'auto' ? recogniseFormat(text) : wanted;
  if (format === null)
    return unreadable(
      1,
      'no known format: a session file, OpenAI chat messages, or a session of Claude Code, Codex or pi',
    );
  const ready = format === 'jsonl' ? readOwn(parts, text) : await readMessages(parts, text, format);
  if (ready.kind === 'unreadable') return ready;
  const sessionId = parts.ids();
  const numbered = ready.events.map((event, index) => ({ ...event, seq: index + 1 }));
  const outcome = await parts.store.append(sessionId, 0, 0, numbered);
  const session = outcome.kind === 'appended' ? await parts.store.readSession(sessionId) : null;
  if (session === null)
    throw new StoreError('failed', `The new session ${sessionId} could not be stored (${outcome.kind}).`);
  return { kind: 'imported', session, report: ready.report };
}

/** The log as it was; turns that ran when it was exported are closed behind it. */
function readOwn(parts: AgentParts, text: string): Ready | Unreadable {
  const read = readSessionFile(text);
  if (read.kind === 'unreadable') return read;
  const closing = closingEvents(parts, read);
  const added = closing.flatMap((event) => (event.type === 'tool-result' ? [event] : []));
  return {
    kind: 'ready',
    events: [...read.events, ...closing],
    report: {
      format: 'jsonl',
      messages: read.messages + added.length,
      repairs: added.map(({ message, toolCallId }) => ({
        kind: 'result-added',
        messageId: message.id,
        toolCallId,
      })),
      skipped: [],
    },
  };
}

function closingEvents(parts: AgentParts, { state, lastOrdinal }: ReadLog): readonly NewEvent[] {
  let ordinal = lastOrdinal;
  const log = { nextMessageId: () => messageId(++ordinal) };
  return Object.keys(state.agents).flatMap((agentName) => {
    const { turn } = agentOf(state, agentName);
    if (turn.phase === 'resting') return [];
    return finishTurn(closeInterrupted(turn), turn, { ...parts, log, agentName });
  });
}

async function readMessages(
  parts: AgentParts,
  text: string,
  format: Exclude<ImportFormat, 'jsonl'>,
): Promise<Ready | Unreadable> {
  const read = readConversation(text, format);
  if (read.kind === 'unreadable') return read;
  const { countTokens, clock, ids } = parts;
  const parsed = parseTrajectory(read.text, countTokens);
  if (parsed.kind === 'unreadable') return parsed;
  const first = parsed.messages.find(isFromPerson);
  const language = chooseLanguage(parts.language, first === undefined ? '' : textOf(first));
  const prompt = parsed.messages.some(({ role }) => role === 'system')
    ? []
    : [
        systemMessage(
          { log: { nextMessageId: () => messageId(1) }, agentName: LEAD, countTokens, clock },
          { turnIndex: 1, step: 0 },
          await assemblePrompt(parts, language),
        ),
      ];
  const weigh = (all: readonly Part[]) => countMessage(all as Message['parts'], countTokens);
  const { messages, repairs } = repairHistory([...prompt, ...parsed.messages], repairTexts(language), weigh);
  const events = messageLog(messages, {
    title: read.title,
    source: format,
    language,
    permissionMode: parts.permissionMode,
    maxSteps: parts.settings.turn.maxSteps,
    nowMs: clock.nowMs(),
    ids,
  });
  return {
    kind: 'ready',
    events,
    report: { format, messages: messages.length, repairs, skipped: read.skipped },
  };
}

type ConversationText = Omit<Extract<ReadConversation, { kind: 'conversation' }>, 'messages'> & {
  readonly text: string;
};

function readConversation(
  text: string,
  format: Exclude<ImportFormat, 'jsonl'>,
): ConversationText | Unreadable {
  if (format === 'openai') {
    if (isTooDeep(text)) return unreadable(1, 'nests too deep');
    return { kind: 'conversation', text, title: null, skipped: [] };
  }
  const read = READERS[format](text);
  if (read.kind === 'unreadable') return read;
  const { messages, ...rest } = read;
  if (messages.length === 0) return unreadable(1, `no messages of a ${format} session`);
  return { ...rest, text: JSON.stringify(messages) };
}

const READERS = { 'claude-code': readClaudeCode, codex: readCodex, pi: readPi } as const;

function unreadable(line: number, reason: string): Unreadable {
  return { kind: 'unreadable', line, reason };
}
