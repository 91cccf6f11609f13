/** All the numbers that decisions depend on, as one typed value; each room owns its slice (seed, section 10). */

import { DEFAULT_RETRY, type RetrySettings } from '../recovery/backoff.ts';

export type TurnSettings = {
  /** Steps of a turn; then one more call without tools gives the answer. */
  readonly maxSteps: number;
};

export type BudgetSettings = {
  readonly softTokens: number;
  readonly hardTokens: number;
};

export type CompactionSettings = {
  readonly policy: 'balanced' | 'seed';
  /** Characters; the second gate of the target. Null: tokens alone decide. */
  readonly charLimit: number | null;
  readonly maxMessages: number;
};

export type Settings = {
  readonly turn: TurnSettings;
  readonly budget: BudgetSettings;
  readonly compaction: CompactionSettings;
  readonly retry: RetrySettings;
};

export const DEFAULT_SETTINGS: Settings = {
  turn: { maxSteps: 8 },
  budget: { softTokens: 32_000, hardTokens: 40_000 },
  compaction: { policy: 'balanced', charLimit: null, maxMessages: 50 },
  retry: DEFAULT_RETRY,
};
