/** The public face of a runtime as types: what server, CLI and embedders call. */
import type {
  CircuitBreaker,
  ContextLimits,
  DoneStatus,
  EventOf,
  Message,
  MessageId,
  Metrics,
  PermissionMode,
  PublishedEvent,
  RequestContext,
  Task,
  TurnTrajectory,
} from '@astroresearch/core';
import type { RecallOutcome, RecallRequest } from './recall/recall-types.ts';
import type { Page, SessionRow } from './store/store.ts';
import type { ExportFormat, ImportFormat, ImportOutcome } from './transfer/transfer-types.ts';

export type TurnRequest = {
  readonly message: string;
  readonly enableThinking?: boolean;
  /** The model's name; left out: the session's, else the configured one. */
  readonly model?: string;
  readonly maxSteps?: number;
  readonly permissionMode?: PermissionMode;
  /** While a turn runs: the message waits and enters at its next step boundary, instead of being refused. */
  readonly queue?: boolean;
  /** A repeat of the request under the same key gives the same turn. The newest 200 keys of a session are known. */
  readonly idempotencyKey?: string;
};

export type SendOutcome =
  /** The user's message is stored. `ended` resolves when the turn's `done` is; it never rejects. */
  | {
      readonly kind: 'started';
      readonly turnId: string;
      readonly firstSeq: number;
      readonly ended: Promise<TurnEnd>;
    }
  | { readonly kind: 'unknown-session' }
  /**
   * `turnId` is null where another process runs the turn and has not stored its id yet; `ended` is null where another
   * process runs it. An interrupted turn goes on first.
   */
  | {
      readonly kind: 'already-running';
      readonly turnId: string | null;
      readonly ended: Promise<TurnEnd> | null;
    }
  /** The message is stored, and enters the turn that runs, or begins the next one. */
  | { readonly kind: 'queued'; readonly turnId: string; readonly seq: number }
  /** The request was carried out before: its turn, whose events begin at `firstSeq`. */
  | { readonly kind: 'repeated'; readonly turnId: string; readonly firstSeq: number }
  /** The key belongs to another request. Nothing was done. */
  | { readonly kind: 'key-reused'; readonly turnId: string };

export type CompactOutcome =
  | { readonly kind: 'compaction'; readonly event: EventOf<'compaction'> }
  /** A turn ran, and ended before it came to that. */
  | { readonly kind: 'turn-ended' };

/**
 * `crashed`: the log could not be written. `suspended`: this process stops or lost its lease. Either way the turn goes
 * on from its log, by whoever takes it up.
 */
export type TurnEnd =
  | { readonly kind: 'suspended' }
  | { readonly kind: 'done'; readonly status: DoneStatus }
  | { readonly kind: 'crashed'; readonly error: unknown };

/** Counters of a session's whole log, and the state that its lead's breaker is in now. */
export type SessionMetrics = Metrics & { readonly breaker: CircuitBreaker['state'] };

/** Counters of what this process has written since `sinceMs`, in all sessions, deleted ones included. */
export type ProcessMetrics = Metrics & { readonly sinceMs: number };

export type ContextOutcome =
  | { readonly kind: 'found'; readonly context: RequestContext; readonly limits: ContextLimits }
  /** So many requests have been made; the next one can be asked for as well. */
  | { readonly kind: 'beyond'; readonly requests: number };

/** A tool as lists show it. */
export type ToolInfo = {
  readonly name: string;
  readonly summary: { readonly zh: string; readonly en: string };
  readonly effect: 'read' | 'idempotent' | 'effect' | 'interactive';
};

export type ForkOutcome =
  | { readonly kind: 'forked'; readonly session: SessionRow }
  | { readonly kind: 'unknown-message' };

export type SubscribeOptions = {
  /** Durable events after this number first, then live ones. */
  readonly afterSeq: number;
  readonly signal: AbortSignal;
};

/**
 * Contract: rejects only with `StoreError`. A method on an unknown or deleted session gives null (or
 * `unknown-session`); ids are checked nowhere else.
 */
export interface Agent {
  createSession(options?: {
    readonly title?: string;
    readonly model?: string;
    readonly metadata?: Readonly<Record<string, unknown>>;
  }): Promise<SessionRow>;
  readSession(sessionId: string): Promise<SessionRow | null>;
  listSessions(options: {
    readonly limit: number;
    readonly cursor: string | null;
    readonly query: string | null;
  }): Promise<Page<SessionRow>>;
  renameSession(sessionId: string, title: string): Promise<SessionRow | null>;
  /** Cancels what runs in it first. Null: there was none. */
  deleteSession(sessionId: string): Promise<true | null>;
  send(sessionId: string, request: TurnRequest): Promise<SendOutcome>;
  /** Makes the session's context smaller now, or before the next model call of a running turn. Null: no such session. */
  compact(sessionId: string): Promise<CompactOutcome | null>;
  /** `idle`: there was nothing to cancel. */
  cancel(sessionId: string): Promise<'cancelling' | 'idle' | null>;
  /**
   * Stored events, then live ones, deltas included, in order, none missed and none twice; a subscriber that comes
   * in the middle of a message first gets its text so far as a snapshot. Ends when `signal` aborts or the session
   * is deleted; never by itself. Null: no such session. The caller bounds its own backlog.
   */
  subscribe(sessionId: string, options: SubscribeOptions): Promise<AsyncIterable<PublishedEvent> | null>;
  readMessages(
    sessionId: string,
    options: { readonly agentName: string; readonly after: MessageId | null; readonly limit: number },
  ): Promise<readonly Message[] | null>;
  /** Originals by ref or query (context.md 1). */
  recall(sessionId: string, request: RecallRequest): Promise<RecallOutcome | null>;
  readTasks(sessionId: string): Promise<readonly Task[] | null>;
  readMetrics(sessionId: string): Promise<SessionMetrics | null>;
  readAllMetrics(): ProcessMetrics;
  /** What the lead's request of this number (from 1; null: the next) carries. Reads the session's log up to its end. */
  readContext(sessionId: string, request: number | null): Promise<ContextOutcome | null>;
  /** One turn (from 1; null: the newest) as a value that can be replayed. `no-turn`: there has been none of this number. */
  readTrajectory(sessionId: string, turn: number | null): Promise<TurnTrajectory | 'no-turn' | null>;
  /**
   * The session as lines of text, each with its newline, of the moment of the call; read page by page as they are taken.
   * Taking them throws where the session is deleted meanwhile. `secrets`: also taken out. Null: no such session.
   */
  exportSession(
    sessionId: string,
    options: { readonly format: ExportFormat; readonly secrets?: readonly string[] },
  ): Promise<AsyncIterable<string> | null>;
  /** A new session from a file of any format that is known; stored whole, or not at all. */
  importSession(text: string, options: { readonly format: ImportFormat | 'auto' }): Promise<ImportOutcome>;
  tools(): readonly ToolInfo[];
  /**
   * Takes up every turn whose process is gone, now and every 5 s until `close`, so that none waits for somebody to use
   * its session. A turn that made its process die three times in a row is closed instead. Resolves with how many go on
   * after the first look.
   */
  resumeInterrupted(): Promise<number>;
  /** Makes a new session that begins like this one, up to and with a message (null: as it is now). Null: no such session. */
  forkSession(sessionId: string, message: MessageId | null): Promise<ForkOutcome | null>;
  /** Stops taking turns; running ones are left in good order, to be taken up again; closes the store. */
  close(): Promise<void>;
}
