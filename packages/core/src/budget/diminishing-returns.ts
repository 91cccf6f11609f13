/** Whether the recent steps of a turn stopped adding anything (context.md 4). */

/** What one finished step brought. */
export type StepYield = {
  /** By how much the turn's spending grew since the check before. */
  readonly addedTokens: number;
  /** A result never seen before in this turn, a changed task or a changed file: see `watch/news.ts`. */
  readonly news: boolean;
};

export type Progress = {
  /** Steps beyond the first. */
  readonly continuations: number;
  /** The newest checks, oldest first; at most `CHECKS`. */
  readonly recent: readonly StepYield[];
};

export const NO_PROGRESS: Progress = { continuations: 0, recent: [] };

const MIN_CONTINUATIONS = 3;
const CHECKS = 2;
/** Less than this is little, tokens. */
const LITTLE_TOKENS = 500;

/** One more step of the turn is over, all its results stored. The first one is no continuation. */
export function recordStep(progress: Progress, step: StepYield): Progress {
  return {
    continuations: progress.recent.length === 0 ? 0 : progress.continuations + 1,
    recent: [...progress.recent.slice(1 - CHECKS), step],
  };
}

/** True: the model is to answer now, without tools. Polling that shows change and short edits are never cut off. */
export function isDiminishing({ continuations, recent }: Progress): boolean {
  return continuations >= MIN_CONTINUATIONS && recent.length === CHECKS && recent.every(isPoor);
}

function isPoor(step: StepYield): boolean {
  return step.addedTokens < LITTLE_TOKENS && !step.news;
}
