/** `TurnEvent`: everything that can have happened in a session (runtime.md, Events). Facts only; all else is derived. */
import type { BreakerEvent, CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { NudgeLevel } from '../budget/nudge.ts';
import type { CompactionOutcome, CompactionTrigger, LayerReport } from '../compaction/outcome.ts';
import type { FileFact } from '../files/file-cache.ts';
import type { Language } from '../message/language.ts';
import type { Message, MessageId, ToolStatus } from '../message/message.ts';
import type { PermissionMode } from '../permission/evaluate.ts';
import type { Task } from '../prompt/task.ts';
import type { ErrorKind, ModelFailure } from '../recovery/error-kind.ts';
import type { RecoveryAction } from '../recovery/recovery-action.ts';
import type { Usage } from '../tokens/usage.ts';
import type { ContextEdit } from '../view/edit.ts';

/** How a turn ended. */
export type DoneStatus = 'completed' | 'cancelled' | 'failed' | 'max_steps' | 'over_budget' | 'diminishing';

/** Why a call must give the answer without tools. */
export type ForcedReason = Extract<DoneStatus, 'max_steps' | 'over_budget' | 'diminishing'>;
export type NudgeKind = NudgeLevel | 'diminishing' | 'todo' | 'duplicate';

/** The view was made smaller. `edits` say how; they are stored before the request that uses them is sent. */
export type CompactionEvent = {
  readonly type: 'compaction';
  readonly trigger: CompactionTrigger;
  readonly outcome: CompactionOutcome;
  readonly layers: readonly LayerReport[];
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** Calibrated tokens of the whole request. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly success: boolean;
  /** State after this compaction. */
  readonly breaker: CircuitBreaker['state'];
  readonly breakerEvents: readonly BreakerEvent[];
  /** The request that first carries the new view, from 1. */
  readonly request: number;
  readonly edits: readonly ContextEdit[];
  /** Files whose content the message behind this event shows again. */
  readonly restored?: readonly FileFact[];
  readonly restoredBy?: MessageId;
  /** Why a summary was not used, if one was asked for. */
  readonly summaryFault?: string;
  /** What cannot be made smaller, calibrated tokens. */
  readonly fixedTokens?: number;
  readonly largestPinnedTokens?: number;
  /** Room was made for this model, which is asked next. */
  readonly forModel?: string;
  /** Of all the calls that the summary took. */
  readonly summaryUsage?: Usage;
  readonly summaryCostUsd?: number;
};

/** `Idempotency-Key` of a request, and a hash of what it asked for. */
export type RequestKey = { readonly key: string; readonly hash: string };

type Body =
  | {
      readonly type: 'session-created';
      readonly title: string;
      readonly model: string | null;
      readonly metadata: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'session-updated'; readonly title: string }
  | { readonly type: 'session-deleted' }
  /** A turn begins. The first event of every turn. */
  | {
      readonly type: 'session';
      readonly title: string;
      readonly model: string;
      readonly provider: string;
      readonly resumed: boolean;
      readonly enableThinking: boolean;
      readonly note?: string;
      readonly turnIndex: number;
      readonly maxSteps: number;
      readonly permissionMode: PermissionMode;
      readonly language: Language;
      /** What the offered tools weigh, tokens: part of every request, message of none. */
      readonly toolTokens: number;
      /** Tools whose repetition is right as long as their result changes. */
      readonly pollTools: readonly string[];
      /** Tools that change something outside the session. */
      readonly writeTools: readonly string[];
      /** `todo_write` is offered. */
      readonly canPlan: boolean;
      /** Of the request that began it: a repeat of it begins no second turn. */
      readonly request?: RequestKey;
    }
  /** The process that drove the turn is gone; another one goes on from the log. */
  | {
      readonly type: 'turn-resumed';
      /** The model is asked again at once: what the request before it gave is unknown. */
      readonly sendsAgain: boolean;
    }
  /** The process stops in good order in the middle of the turn; whoever starts next goes on. */
  | { readonly type: 'turn-suspended' }
  /** A person's message that came while a turn ran: it enters at the next step boundary. */
  | { readonly type: 'message-queued'; readonly text: string; readonly request?: RequestKey }
  /** So many of the oldest queued messages have entered the history, beside this event. */
  | { readonly type: 'queue-taken'; readonly count: number }
  /** A finished message enters the history. `usage`: what the provider reported for the call that made it. */
  | {
      readonly type: 'message';
      readonly message: Message;
      readonly usage?: Usage;
      /** By the prices of the model that answered; left out where they are not known. */
      readonly costUsd?: number;
      /** The provider read much less than was sent: it may have cut the request without a word. */
      readonly suspectedTruncation?: true;
    }
  /** Step `n` of the turn calls the model next. */
  | {
      readonly type: 'step';
      readonly n: number;
      readonly estimatedTokens: number;
      readonly spentTokens: number;
      /** Why this call offers no tools and must give the answer; null: it offers them. */
      readonly forced: ForcedReason | null;
    }
  /** The model is told something about its budget or plan; the message that tells it stands beside this event. */
  | { readonly type: 'nudge'; readonly level: NudgeKind; readonly spentTokens: number }
  /** The call is about to be carried out: the intent, stored before the effect. */
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly name: string;
      readonly arguments: unknown;
    }
  /** Its outcome; the message is what the model will read. */
  | {
      readonly type: 'tool-result';
      readonly toolCallId: string;
      readonly name: string;
      readonly status: ToolStatus;
      readonly elapsedMs: number;
      readonly truncated: boolean;
      /** The tool itself says that nothing is new since the last time. */
      readonly unchanged?: true;
      /** The file that it read or wrote. */
      readonly file?: FileFact;
      readonly message: Message;
    }
  /** The engine mends what made a call fail, or would have made it fail. */
  | {
      readonly type: 'recovery';
      readonly kind: ErrorKind;
      readonly action: RecoveryAction;
      /** Why this rung could not help; the next one is taken. */
      readonly skipped?: string;
      /** Of the requests from here to the end of the turn. */
      readonly maxOutputTokens?: number;
    }
  /** Another model answers for the rest of the turn. */
  | { readonly type: 'model-switch'; readonly from: string; readonly to: string; readonly reason: string }
  | { readonly type: 'tasks'; readonly tasks: readonly Task[] }
  | { readonly type: 'cancel-requested' }
  /** The model or a person asks for a compaction; `keep` is a hint for the summary. */
  | { readonly type: 'compact-requested'; readonly keep: string | null }
  | CompactionEvent
  /** A model call gave no usable reply. Nothing of it enters the history. */
  | {
      readonly type: 'attempt-failed';
      readonly failure: ModelFailure;
      /** As far as the provider reported one. */
      readonly usage?: Usage;
      readonly costUsd?: number;
    }
  /** The same request is sent again after `delayMs`. */
  | {
      readonly type: 'retry';
      readonly kind: ErrorKind;
      readonly attempt: number;
      readonly delayMs: number;
      readonly retryAfterMs?: number;
    }
  /** The turn's totals. */
  | {
      readonly type: 'usage';
      readonly usage: Usage;
      readonly spentTokens: number;
      /** Of every call of the turn; left out where the price of one is not known. */
      readonly costUsd?: number;
      readonly suspectedTruncation?: true;
      readonly steps: number;
    }
  | {
      readonly type: 'error';
      readonly kind: string;
      readonly message: string;
      readonly retryable: boolean;
    }
  | { readonly type: 'done'; readonly status: DoneStatus; readonly messageId?: string };

type Envelope = {
  /** Position in the session's log, from 1, without gaps. */
  readonly seq: number;
  readonly turnId: string | null;
  readonly agentName: string;
  readonly step: number;
  readonly atMs: number;
};

export type EventBody = Body;
export type EventType = Body['type'];
export type TurnEvent = Envelope & Body;
/** An event before the log gave it its number. */
export type NewEvent = Omit<Envelope, 'seq'> & Body;
export type EventOf<T extends EventType> = Extract<TurnEvent, { type: T }>;

/** Sent live only: no number, never stored; the finished `message` takes their place. */
export type TransientEvent = Omit<Envelope, 'seq'> & {
  readonly type: 'text-delta' | 'thought' | 'text-snapshot' | 'thought-snapshot';
  readonly text: string;
};

/** What a subscriber receives. */
export type PublishedEvent = TurnEvent | TransientEvent;

export function isTransient(event: PublishedEvent): event is TransientEvent {
  return !('seq' in event);
}
