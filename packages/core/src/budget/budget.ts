/** The limits of a turn and what they decide: when to compact, how much room there is, when to stop (context.md 4). */

export type BudgetSettings = {
  /** Occupancy above it starts a compaction; spending near and over it is said to the model. */
  readonly softTokens: number;
  /** Spending at it ends the turn with a forced answer. */
  readonly hardTokens: number;
};

export const DEFAULT_BUDGET: BudgetSettings = { softTokens: 32_000, hardTokens: 40_000 };

/** What the recovery ladder raises the hard limit to (recovery.md, `escalate_tokens`). */
export const ESCALATED_HARD_TOKENS = 64_000;

/** The limits that hold now; a turn begins with those of its settings, and may raise the hard one. */
export type Budget = BudgetSettings;

/**
 * The limits for the rest of the turn once the ladder escalated. `windowTokens`: most that the model takes in; it
 * bounds the new limit. Never lowers a limit: the same value comes back where nothing is to be gained.
 */
export function escalate(budget: Budget, windowTokens = Number.POSITIVE_INFINITY): Budget {
  const hardTokens = Math.min(ESCALATED_HARD_TOKENS, windowTokens);
  return hardTokens > budget.hardTokens ? { ...budget, hardTokens } : budget;
}

/**
 * Calibrated tokens of a request above which it is compacted first. `requestLimitTokens`: the largest request that
 * the model takes (window − output reserve), so that a small window brings the trigger down with it.
 */
export function triggerTokens(budget: Budget, requestLimitTokens = Number.POSITIVE_INFINITY): number {
  return Math.min(budget.softTokens, requestLimitTokens);
}

/** Tokens between the fixed part of every request (system prompt, tool schemas) and the trigger; at least 0. */
export function roomTokens(trigger: number, fixedTokens: number): number {
  return Math.max(0, trigger - fixedTokens);
}

/** True when the turn has nothing left to spend: the next call cannot use tools, whether or not it was told so before. */
export function isExhausted(spentTokens: number, budget: Budget): boolean {
  return spentTokens >= budget.hardTokens;
}
