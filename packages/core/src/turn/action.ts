/** What to do next, as data. `perform` (runtime) does it; nothing here does anything. */
import type { ModelFailure } from '../recovery/error-kind.ts';
import type { DoneStatus } from './event.ts';
import type { OpenCall } from './state.ts';

export type Action =
  | {
      readonly kind: 'call-model';
      readonly step: number;
      readonly tools: 'offered' | 'none';
      /** The steps are used up: tell the model first. */
      readonly outOfSteps: boolean;
    }
  /** The model call failed in a way that waiting may heal. */
  | {
      readonly kind: 'wait';
      readonly failure: ModelFailure;
      readonly attempt: number;
      readonly delayMs: number;
    }
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
