/** Recorded sessions as one policy sent them. */
import type { StepReport, Totals } from '@astroresearch/core';

/** One file, under one policy. */
export type PlayedSession = {
  readonly file: string;
  readonly repairs: number;
  readonly steps: readonly StepReport[];
  readonly totals: Totals;
};

/** All files under one policy. */
export type Played = {
  readonly policy: string;
  readonly sessions: readonly PlayedSession[];
  readonly total: Totals;
};
