/** Messages of another program → the log of a session at rest: one turn for each message of a person. */
import {
  isFromPerson,
  type Language,
  LEAD,
  type Message,
  type NewEvent,
  type PermissionMode,
  textOf,
} from '@astroresearch/core';

const TITLE_CHARS = 60;

export type LogOptions = {
  readonly title: string | null;
  /** Where it came from. */
  readonly source: string;
  readonly language: Language;
  readonly permissionMode: PermissionMode;
  readonly maxSteps: number;
  readonly nowMs: number;
  readonly ids: () => string;
};

/** `messages`: a valid history, in order. No usage is claimed and no request counted: none was made here. */
export function messageLog(messages: readonly Message[], options: LogOptions): readonly NewEvent[] {
  const { nowMs, ids, language } = options;
  const first = messages.find(isFromPerson);
  const title = (options.title ?? titleFrom(first === undefined ? '' : textOf(first))).toWellFormed();
  const idle = { turnId: null, agentName: LEAD, step: 0, atMs: nowMs };
  const events: NewEvent[] = [
    { ...idle, type: 'session-created', title, model: null, metadata: { imported_from: options.source } },
  ];
  let turnIndex = 0;
  let turnId: string | null = null;
  let answerId: string | null = null;
  const end = () => {
    if (turnId === null) return;
    const messageId = answerId === null ? {} : { messageId: answerId };
    events.push({ ...idle, turnId, type: 'done', status: 'completed', ...messageId });
  };
  const begin = () => {
    end();
    turnIndex += 1;
    turnId = ids();
    answerId = null;
    events.push({
      ...idle,
      turnId,
      type: 'session',
      title,
      model: options.source,
      provider: 'import',
      resumed: turnIndex > 1,
      enableThinking: false,
      turnIndex,
      maxSteps: options.maxSteps,
      permissionMode: options.permissionMode,
      language,
      toolTokens: 0,
      pollTools: [],
      writeTools: [],
      canPlan: false,
    });
  };
  let hasQuestion = false;
  for (const message of messages) {
    if (turnId === null || (isFromPerson(message) && hasQuestion)) begin();
    hasQuestion ||= isFromPerson(message);
    const stamp = { ...idle, turnId, step: message.step };
    const placed = { ...message, turnIndex, createdAtMs: nowMs } as Message;
    if (placed.role !== 'tool') {
      events.push({ ...stamp, type: 'message', message: placed });
      answerId = placed.role === 'assistant' ? placed.id : answerId;
      if (placed.role === 'assistant') {
        for (const part of placed.parts) {
          if (part.type !== 'tool-call') continue;
          const { toolCallId, name, arguments: text } = part;
          events.push({ ...stamp, type: 'tool-call', toolCallId, name, arguments: JSON.parse(text) });
        }
      }
      continue;
    }
    const { toolCallId, name, status } = placed.parts[0];
    events.push({
      ...stamp,
      type: 'tool-result',
      toolCallId,
      name,
      status,
      elapsedMs: 0,
      truncated: false,
      message: placed,
    });
  }
  end();
  return events;
}

function titleFrom(text: string): string {
  const characters = [...(text.trim().split('\n', 1)[0] ?? '')];
  return characters.length <= TITLE_CHARS
    ? characters.join('')
    : `${characters.slice(0, TITLE_CHARS).join('')}…`;
}
