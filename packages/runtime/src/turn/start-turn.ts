/** Opens a turn: the `session` event, the system prompt on the first turn, the user's message, the open plan (context.md 2). */
import {
  agentOf,
  type Language,
  type NewEvent,
  openTasks,
  type PermissionMode,
  type RequestKey,
  type Section,
  type TokenCounter,
  taskStateText,
  thinkingIgnoredText,
} from '@astroresearch/core';
import type { SessionLog } from '../log/session-log.ts';
import type { Clock } from '../ports.ts';
import { systemMessage, userMessage } from './new-message.ts';

export type TurnStart = {
  readonly log: SessionLog;
  readonly agentName: string;
  readonly turnId: string;
  readonly message: string;
  readonly model: string;
  readonly provider: string;
  readonly enableThinking: boolean;
  readonly permissionMode: PermissionMode;
  readonly maxSteps: number;
  readonly language: Language;
  readonly toolTokens: number;
  readonly pollTools: readonly string[];
  readonly writeTools: readonly string[];
  readonly canPlan: boolean;
  readonly request: RequestKey | null;
  /** Queued messages that the turn's first message stands for. */
  readonly fromQueue: number;
  /** Null where the session has its system prompt already: it is reused as stored. */
  readonly systemPrompt: readonly Section[] | null;
  readonly countTokens: TokenCounter;
  readonly clock: Clock;
};

const TITLE_CHARS = 60;

/** All events that a turn begins with; stored together, before the first model call. */
export function startTurn(start: TurnStart): readonly NewEvent[] {
  const { log, language } = start;
  const { state } = log;
  const place = { turnIndex: state.turnCount + 1, step: 0 };
  const stamp = { turnId: start.turnId, agentName: start.agentName, step: 0, atMs: start.clock.nowMs() };
  const ignored = start.enableThinking && start.provider !== 'dashscope';

  const messages = [
    ...(start.systemPrompt === null ? [] : [systemMessage(start, place, start.systemPrompt)]),
    userMessage(start, place, start.message),
    ...(openTasks(state.tasks).length === 0
      ? []
      : [userMessage(start, place, taskStateText(state.tasks, language), 'task_state')]),
  ];
  return [
    {
      ...stamp,
      type: 'session',
      title: state.title === '' ? titleFrom(start.message) : state.title,
      model: start.model,
      provider: start.provider,
      resumed: state.turnCount > 0,
      enableThinking: start.enableThinking,
      ...(ignored ? { note: thinkingIgnoredText(start.provider, language) } : {}),
      turnIndex: place.turnIndex,
      maxSteps: start.maxSteps,
      permissionMode: start.permissionMode,
      language,
      toolTokens: start.toolTokens,
      pollTools: start.pollTools,
      writeTools: start.writeTools,
      canPlan: start.canPlan,
      ...(start.request === null ? {} : { request: start.request }),
    },
    ...messages.map((message) => ({ ...stamp, type: 'message' as const, message })),
    ...(start.fromQueue === 0 ? [] : [{ ...stamp, type: 'queue-taken' as const, count: start.fromQueue }]),
  ];
}

/** A session without a title is called by the first line of its first message. */
function titleFrom(message: string): string {
  const line = message.toWellFormed().trim().split('\n', 1)[0] ?? '';
  const characters = [...line];
  return characters.length <= TITLE_CHARS ? line : `${characters.slice(0, TITLE_CHARS).join('')}…`;
}

/** True while the agent has no system message in its view. */
export function needsSystemPrompt(log: SessionLog, agentName: string): boolean {
  return agentOf(log.state, agentName).view.at(0)?.role !== 'system';
}
