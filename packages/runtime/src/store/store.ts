/** The store port: one way to write, `append`; readers for what was written (architecture.md, Data). */
import type { Message, MessageId, Task, ToolMessage, TurnEvent } from '@astroresearch/core';

export type SessionRow = {
  readonly sessionId: string;
  readonly title: string;
  readonly summary: string | null;
  readonly model: string | null;
  readonly turnCount: number;
  /** `idle`, or `running` while a turn has no `done`. */
  readonly status: 'idle' | 'running';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** Where a session's log ends. `messages`: the highest message number given so far. */
export type SessionHead = { readonly seq: number; readonly epoch: number; readonly messages: number };

export type AppendOutcome =
  | { readonly kind: 'appended' }
  /** Somebody else appended first: the log ends at `seq`. */
  | { readonly kind: 'conflict'; readonly seq: number }
  /** The lease went to another owner, whose `epoch` is higher: stop writing. */
  | { readonly kind: 'fenced'; readonly epoch: number };

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly epoch: number }
  | { readonly kind: 'held'; readonly owner: string; readonly expiresAtMs: number };

/** The stored messages of one agent (`*`: of all) between two numbers, both included; at most `limit` of them. */
export type MessageSpan = {
  readonly agentName: string;
  readonly from: MessageId;
  readonly to: MessageId;
  readonly limit: number;
};

/** One thing looked for: a message has it where its text contains any of the spellings. */
export type SearchTerm = readonly [string, ...string[]];

export type MessageSearch = MessageSpan & {
  readonly terms: readonly SearchTerm[];
  /** Calls and results of this tool are not searched. */
  readonly exceptTool: string;
};

export type Page<T> = { readonly items: readonly T[]; readonly nextCursor: string | null };

/**
 * Contract, the same for every store (`store.contract.ts`):
 * - `append` is one transaction: all events and their projections (sessions, messages, tasks), or nothing.
 *   `events[0].seq` is `expectedSeq + 1`, then without gaps. The first event of a session is `session-created`.
 *   Succeeds only if the log ends at `expectedSeq` and `epoch` equals the session's (0 until the first claim).
 * - what was appended is on disk when the promise resolves; appends made at the same time share a commit.
 * - a deleted session (`session-deleted`) is not listed, read or claimed any more.
 * - every method rejects with `StoreError`, and only with it, when storage itself fails.
 */
export interface Store {
  append(
    sessionId: string,
    expectedSeq: number,
    epoch: number,
    events: readonly TurnEvent[],
  ): Promise<AppendOutcome>;
  /** Events after `afterSeq`, ascending, messages included whole. */
  readEvents(sessionId: string, afterSeq: number, limit: number): Promise<readonly TurnEvent[]>;
  /** Null: no such session. */
  readHead(sessionId: string): Promise<SessionHead | null>;
  readSession(sessionId: string): Promise<SessionRow | null>;
  /** Newest first; `query` is in the title, the summary or what a person or an answer said, Chinese included. */
  listSessions(options: {
    readonly limit: number;
    readonly cursor: string | null;
    readonly query: string | null;
  }): Promise<Page<SessionRow>>;
  /** Ids of the sessions in which a turn has no `done` yet, whoever drives it. */
  runningSessions(): Promise<readonly string[]>;
  /** Ascending; `agentName` `*` is everybody. `after`: the last message id of the page before. */
  readMessages(
    sessionId: string,
    options: { readonly agentName: string; readonly after: MessageId | null; readonly limit: number },
  ): Promise<readonly Message[]>;
  /** Ascending. */
  readMessageRange(sessionId: string, span: MessageSpan): Promise<readonly Message[]>;
  /**
   * Messages that have any of the terms in their visible text or in the name or arguments of a call; those with most
   * terms first, then the newest. A–Z and a–z are the same, all other characters stand for themselves. System prompts
   * are left out. Reads every message of the span.
   */
  findMessages(sessionId: string, search: MessageSearch): Promise<readonly Message[]>;
  /** Tool results of which the whole output lies elsewhere (`fullOutput`), newest first. */
  readCutResults(sessionId: string, span: MessageSpan): Promise<readonly ToolMessage[]>;
  readTasks(sessionId: string): Promise<readonly Task[]>;
  /** Takes the session's lease if it is free, expired or this owner's; each take raises the epoch by one. */
  claim(sessionId: string, owner: string, nowMs: number, ttlMs: number): Promise<ClaimOutcome>;
  /** False when the lease is no longer this owner's with this epoch. */
  renew(sessionId: string, owner: string, epoch: number, nowMs: number, ttlMs: number): Promise<boolean>;
  release(sessionId: string, owner: string, epoch: number): Promise<void>;
  close(): Promise<void>;
}

/** Storage itself failed. Nothing of the refused call was written. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: StoreErrorKind;
  constructor(kind: StoreErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export type StoreErrorKind =
  | 'busy'
  | 'full'
  | 'read_only'
  | 'corrupt'
  | 'newer_version'
  /** Another process drives the session now, or it was deleted. */
  | 'fenced'
  | 'failed';
