/** Which one reminder about the budget applies now (context.md 4). */
import type { Budget } from './budget.ts';

/** From low to high. */
export const NUDGE_LEVELS = ['near_soft', 'over_soft', 'over_hard'] as const;
export type NudgeLevel = (typeof NUDGE_LEVELS)[number];

/** Spending at this share of the soft limit is worth a hint. */
const NEAR_SOFT_SHARE = 0.8;

/**
 * The level to tell the model before its next call, or null. `given`: the levels of this turn so far, in any order.
 * Only the highest level reached counts: one that was skipped on the way up is not made up for later.
 */
export function dueNudge(
  spentTokens: number,
  budget: Budget,
  given: readonly NudgeLevel[],
): NudgeLevel | null {
  const level = highestReached(spentTokens, budget);
  return level === null || given.includes(level) ? null : level;
}

/** Tokens of spending at which `level` begins. */
export function thresholdTokens(level: NudgeLevel, budget: Budget): number {
  switch (level) {
    case 'near_soft':
      return budget.softTokens * NEAR_SOFT_SHARE;
    case 'over_soft':
      return budget.softTokens;
    case 'over_hard':
      return budget.hardTokens;
    default:
      return level satisfies never;
  }
}

function highestReached(spentTokens: number, budget: Budget): NudgeLevel | null {
  return NUDGE_LEVELS.findLast((level) => spentTokens >= thresholdTokens(level, budget)) ?? null;
}
