/** `TimelineItem`: one row of what people see of a session (ui.md, Research). */
import type { ToolStatus } from '../message/message.ts';
import type { DoneStatus } from '../turn/event.ts';

/** Where an item comes from. `at`: ISO 8601, UTC, of the event that began it. */
export type ItemOrigin = {
  readonly agentName: string;
  readonly turnId: string | null;
  readonly step: number;
  readonly at: string;
};

/** `discarded`: of a model call that failed half-way; nothing of it counts and nobody should see it. */
export type StreamState = 'streaming' | 'finished' | 'discarded';

/** `queued`: asked for by the model, not begun. The rest of the open ones is a result's own status. */
export type ToolItemStatus = 'queued' | 'running' | ToolStatus;

/** A turn's tokens. `spent` is what the budget counts. */
export type TurnUsage = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  readonly spentTokens: number;
  readonly steps: number;
  /** Null: not known. */
  readonly costUsd: number | null;
};

/** What the engine did that a person may wonder about. */
export type Notice =
  | { readonly about: 'attempt_failed'; readonly kind: string; readonly message: string }
  | { readonly about: 'retry'; readonly kind: string; readonly attempt: number; readonly delayMs: number }
  | { readonly about: 'recovery'; readonly kind: string; readonly action: string }
  | { readonly about: 'nudge'; readonly level: string }
  | {
      readonly about: 'compaction';
      readonly outcome: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly about: 'model_switch'; readonly from: string; readonly to: string }
  | { readonly about: 'suspected_truncation' }
  | { readonly about: 'note'; readonly text: string };

export type UserItem = ItemOrigin & {
  readonly type: 'user';
  readonly messageId: string;
  readonly text: string;
};
export type ThoughtItem = ItemOrigin & {
  readonly type: 'thought';
  readonly text: string;
  readonly state: StreamState;
};
export type AnswerItem = ItemOrigin & {
  readonly type: 'answer';
  readonly text: string;
  readonly state: StreamState;
  /** Text that came along with tool calls: said on the way, not the answer. */
  readonly interim: boolean;
  /** Why the text ends here; null while it streams. */
  readonly ending: string | null;
};
export type ToolItem = ItemOrigin & {
  readonly type: 'tool';
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly status: ToolItemStatus;
  /** Head of the output; null until there is a result. */
  readonly preview: string | null;
  readonly elapsedMs: number | null;
  /** The message that holds the whole output. */
  readonly ref: string | null;
  readonly truncated: boolean;
};
export type NoticeItem = ItemOrigin & { readonly type: 'notice'; readonly notice: Notice };
export type ErrorItem = ItemOrigin & {
  readonly type: 'error';
  readonly kind: string;
  readonly message: string;
  readonly retryable: boolean;
};
export type TurnEndItem = ItemOrigin & {
  readonly type: 'turn-end';
  readonly status: DoneStatus;
  readonly usage: TurnUsage | null;
  /** When the turn began; with `at`, its duration. */
  readonly startedAt: string;
};

export type TimelineItem =
  | UserItem
  | ThoughtItem
  | AnswerItem
  | ToolItem
  | NoticeItem
  | ErrorItem
  | TurnEndItem;
