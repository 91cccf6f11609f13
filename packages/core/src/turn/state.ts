/** What is known of a session after its events so far: one value, derived from the log alone (architecture.md). */
import type { AssistantMessage, ToolCallPart } from '../message/message.ts';
import type { PermissionMode } from '../permission/evaluate.ts';
import type { Language } from '../prompt/language.ts';
import type { Task } from '../prompt/task.ts';
import type { ModelFailure } from '../recovery/error-kind.ts';
import { type ContextSize, EMPTY_CONTEXT } from '../tokens/context-size.ts';
import type { Usage } from '../tokens/usage.ts';
import { EMPTY_VIEW, type View } from '../view/view.ts';

export const LEAD = 'lead';

export type SessionState = {
  readonly title: string;
  readonly model: string | null;
  readonly deleted: boolean;
  /** Fixed by the first turn. */
  readonly language: Language | null;
  /** Turns begun so far. */
  readonly turnCount: number;
  readonly tasks: readonly Task[];
  readonly agents: Readonly<Record<string, AgentState>>;
};

export type AgentState = {
  /** What the next request carries, without the tools. */
  readonly view: View;
  readonly contextSize: ContextSize;
  /** Of the newest turn; part of every request. */
  readonly toolTokens: number;
  readonly turn: Turn;
};

export type Turn = { readonly phase: 'resting' } | RunningTurn;

export type RunningTurn = {
  readonly phase: 'running';
  readonly turnId: string;
  readonly turnIndex: number;
  readonly model: string;
  readonly enableThinking: boolean;
  readonly permissionMode: PermissionMode;
  readonly language: Language;
  readonly maxSteps: number;
  /** Steps begun; 0 before the first model call. */
  readonly step: number;
  readonly stepTools: 'offered' | 'none';
  /** The step has begun and no message has come of it yet. */
  readonly awaitsReply: boolean;
  /** Calls of the newest assistant message that have no result yet, in call order. */
  readonly openCalls: readonly OpenCall[];
  /** The newest assistant message of the turn, if it asks for nothing more. */
  readonly answer: AssistantMessage | null;
  readonly cancelRequested: boolean;
  /** Of the newest model call; null once it is to be tried again. */
  readonly failure: ModelFailure | null;
  /** Tries of the step's model call that gave no usable reply, and the waits between them. */
  readonly failedAttempts: number;
  readonly waitedMs: number;
  readonly usage: Usage;
  /** Tokens that this turn has added to the conversation, each counted once (context.md 4). */
  readonly spentTokens: number;
};

/** `started`: its intent is stored, so an effect may have happened. */
export type OpenCall = { readonly call: ToolCallPart; readonly started: boolean };

export const NEW_SESSION: SessionState = {
  title: '',
  model: null,
  deleted: false,
  language: null,
  turnCount: 0,
  tasks: [],
  agents: {},
};

const NEW_AGENT: AgentState = {
  view: EMPTY_VIEW,
  contextSize: EMPTY_CONTEXT,
  toolTokens: 0,
  turn: { phase: 'resting' },
};

export function agentOf(state: SessionState, agentName: string): AgentState {
  return state.agents[agentName] ?? NEW_AGENT;
}
