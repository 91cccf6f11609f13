/** What is known of a session after its events so far: one value, derived from the log alone (architecture.md). */

import { type CircuitBreaker, CLOSED_BREAKER } from '../breaker/circuit-breaker.ts';
import { NO_PROGRESS, type Progress } from '../budget/diminishing-returns.ts';
import { EMPTY_FILE_CACHE, type FileCache } from '../files/file-cache.ts';
import type { Language } from '../message/language.ts';
import type { AssistantMessage, ToolCallPart } from '../message/message.ts';
import type { Bill } from '../models/cost.ts';
import type { PermissionMode } from '../permission/evaluate.ts';
import type { Task } from '../prompt/task.ts';
import type { ModelFailure } from '../recovery/error-kind.ts';
import type { RecoveryAction } from '../recovery/recovery-action.ts';
import { type ContextSize, EMPTY_CONTEXT } from '../tokens/context-size.ts';
import type { Usage } from '../tokens/usage.ts';
import { EMPTY_VIEW, type View } from '../view/view.ts';
import { type CallGuard, type CallVerdict, NEW_CALL_GUARD } from '../watch/duplicate-calls.ts';
import { type News, NO_NEWS } from '../watch/news.ts';
import { NEW_PLAN_WATCH, type PlanWatch } from '../watch/todo-reminder.ts';
import type { ForcedReason, NudgeKind, RequestKey } from './event.ts';

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
  /** The newest requests that named a key, oldest first. */
  readonly answered: readonly AnsweredRequest[];
  readonly agents: Readonly<Record<string, AgentState>>;
};

/** A request with an `Idempotency-Key`, the turn that it belongs to, and where in the log that turn's part begins. */
export type AnsweredRequest = RequestKey & { readonly turnId: string; readonly seq: number };

/** A person's message that waits for a step boundary. */
export type QueuedMessage = { readonly text: string };

export type AgentState = {
  /** Model calls so far: the number of the newest request. */
  readonly requests: number;
  /** One a session, living across turns. */
  readonly breaker: CircuitBreaker;
  /** Asked for by the model or a person, not yet done. */
  readonly compactRequest: { readonly keep: string | null } | null;
  /** Size of the request right after the newest compaction; null: there was none. */
  readonly lastCompactedTokens: number | null;
  /** What the last compaction could not make smaller, calibrated tokens; zeros before the first. */
  readonly immovable: { readonly fixedTokens: number; readonly largestPinnedTokens: number };
  /** Of the models that refused a request and named their window, by name, tokens. */
  readonly learntWindows: Readonly<Record<string, number>>;
  /** What it knows of files, and which message of its view shows them. */
  readonly files: FileCache;
  /** What the next request carries, without the tools. */
  readonly view: View;
  readonly contextSize: ContextSize;
  /** Of the newest turn; part of every request. */
  readonly toolTokens: number;
  /** Oldest first. */
  readonly queue: readonly QueuedMessage[];
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
  /** Why the newest step offers no tools; null: it does. */
  readonly forced: ForcedReason | null;
  /** The step has begun and no message has come of it yet. */
  readonly awaitsReply: boolean;
  /** Calls of the newest assistant message that have no result yet, in call order. */
  readonly openCalls: readonly OpenCall[];
  /** The newest assistant message of the turn, if it asks for nothing more. */
  readonly answer: AssistantMessage | null;
  readonly cancelRequested: boolean;
  /** Times in a row that it was taken up after a crash, without getting any further. */
  readonly resumes: number;
  /** Its process stopped in good order: taking it up again is no crash. */
  readonly suspended: boolean;
  /** Of the newest model call; null once it is to be tried again. */
  readonly failure: ModelFailure | null;
  /** Tries of the step's model call that gave no usable reply, and the waits between them. */
  readonly failedAttempts: number;
  readonly waitedMs: number;
  /** Rungs of the ladder so far. */
  readonly recovered: readonly RecoveryAction[];
  /** What the provider lets an answer have; null: its own default. */
  readonly maxOutputTokens: number | null;
  /** The model that room was made for while its predecessor is overloaded; null: none. */
  readonly compactedFor: string | null;
  /** Of all calls so far: failed ones and summaries too. */
  readonly usage: Usage;
  readonly bill: Bill;
  /** A provider may have cut a request of this turn. */
  readonly suspectedTruncation: boolean;
  /** Tokens that this turn has added to the conversation, each counted once (context.md 4). */
  readonly spentTokens: number;
  readonly pollTools: readonly string[];
  /** Tools that change something outside the session. */
  readonly writeTools: readonly string[];
  readonly canPlan: boolean;
  readonly watch: TurnWatch;
};

/** What the turn's monitors remember; all of bounded size. */
export type TurnWatch = {
  /** Given so far, `diminishing` included. */
  readonly nudges: readonly NudgeKind[];
  /** The step before whose call the newest reminder was given: at most one a call. */
  readonly remindedBeforeStep: number;
  /** The same for compactions. */
  readonly compactedBeforeStep: number;
  readonly progress: Progress;
  readonly news: News;
  readonly planWatch: PlanWatch;
  /** The running step called `todo_write`. */
  readonly planned: boolean;
  /** Of `spentTokens`, at the end of the newest step. */
  readonly checkedTokens: number;
  readonly guard: CallGuard;
};

export const NEW_WATCH: TurnWatch = {
  nudges: [],
  remindedBeforeStep: 0,
  compactedBeforeStep: 0,
  progress: NO_PROGRESS,
  news: NO_NEWS,
  planWatch: NEW_PLAN_WATCH,
  planned: false,
  checkedTokens: 0,
  guard: NEW_CALL_GUARD,
};

/** `started`: its intent is stored, so an effect may have happened. */
export type OpenCall = {
  readonly call: ToolCallPart;
  readonly started: boolean;
  /** Whether the loop guard lets it run. */
  readonly verdict: CallVerdict;
};

export const NEW_SESSION: SessionState = {
  title: '',
  model: null,
  deleted: false,
  language: null,
  turnCount: 0,
  tasks: [],
  answered: [],
  agents: {},
};

const NEW_AGENT: AgentState = {
  requests: 0,
  breaker: CLOSED_BREAKER,
  compactRequest: null,
  lastCompactedTokens: null,
  immovable: { fixedTokens: 0, largestPinnedTokens: 0 },
  learntWindows: {},
  files: EMPTY_FILE_CACHE,
  view: EMPTY_VIEW,
  contextSize: EMPTY_CONTEXT,
  toolTokens: 0,
  queue: [],
  turn: { phase: 'resting' },
};

export function agentOf(state: SessionState, agentName: string): AgentState {
  return state.agents[agentName] ?? NEW_AGENT;
}
