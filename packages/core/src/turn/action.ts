/** What to do next, as data. `perform` (runtime) does it; nothing here does anything. */
import type { CompactionTrigger } from '../compaction/outcome.ts';
import type { ErrorKind, ModelFailure } from '../recovery/error-kind.ts';
import type { Rung } from '../recovery/ladder.ts';
import type { DoneStatus, ForcedReason, NudgeKind } from './event.ts';
import type { OpenCall } from './state.ts';

export type Action =
  | {
      readonly kind: 'call-model';
      readonly step: number;
      /** Why it offers no tools and must give the answer; null: it offers them. */
      readonly forced: ForcedReason | null;
    }
  /** Tell the model something before its next call. */
  | { readonly kind: 'remind'; readonly nudge: NudgeKind }
  | {
      readonly kind: 'compact';
      readonly trigger: CompactionTrigger;
      readonly keep: string | null;
      /** The model to make room for; left out: the turn's own. */
      readonly model?: string;
    }
  /** The model call failed in a way that waiting may heal. */
  | {
      readonly kind: 'wait';
      readonly failure: ModelFailure;
      readonly attempt: number;
      readonly delayMs: number;
    }
  /** The request was refused for what it is: mend it by this rung, or say why the rung cannot help. */
  | { readonly kind: 'recover'; readonly failure: ModelFailure; readonly rung: Rung }
  /** The model is overloaded: ask another one for the rest of the turn. */
  | { readonly kind: 'switch-model'; readonly to: string; readonly reason: ErrorKind }
  /** A person wrote while the turn ran: these enter the history now. */
  | { readonly kind: 'take-queued'; readonly texts: readonly string[] }
  | { readonly kind: 'run-tools'; readonly calls: readonly OpenCall[] }
  | FinishAction
  /** No turn is running. */
  | { readonly kind: 'rest' };

export type FinishAction = {
  readonly kind: 'finish';
  readonly status: DoneStatus;
  /** Calls that get a result of this status instead of being run. */
  readonly close: { readonly calls: readonly OpenCall[]; readonly status: 'cancelled' | 'interrupted' };
  readonly failure: ModelFailure | null;
  readonly messageId: string | null;
};
