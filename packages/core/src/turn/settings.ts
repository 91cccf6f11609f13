/** All the numbers that decisions depend on, as one typed value; each room owns its slice (seed, section 10). */

import { type BudgetSettings, DEFAULT_BUDGET } from '../budget/budget.ts';
import { KNOWN_MODELS } from '../models/known-models.ts';
import type { ModelTable } from '../models/model-table.ts';
import { DEFAULT_RETRY, type RetrySettings } from '../recovery/backoff.ts';

export type TurnSettings = {
  /** Steps of a turn; then one more call without tools gives the answer. */
  readonly maxSteps: number;
};

export type CompactionSettings = {
  readonly policy: 'balanced' | 'seed';
  /** Characters; the second gate of the target. Null: tokens alone decide. */
  readonly charLimit: number | null;
  readonly maxMessages: number;
  /** The largest request that the configured model takes: its window less the reserve for the answer. */
  readonly windowTokens: number;
};

export type ModelSettings = {
  /** The model that `compaction.windowTokens` is of; null: of every one that the table does not know. */
  readonly configured: string | null;
  readonly table: ModelTable;
};

export type Settings = {
  readonly turn: TurnSettings;
  readonly budget: BudgetSettings;
  readonly compaction: CompactionSettings;
  readonly models: ModelSettings;
  readonly retry: RetrySettings;
  /** Asked after 3 overloads in a row; null: none. */
  readonly fallbackModel: string | null;
};

export const DEFAULT_SETTINGS: Settings = {
  turn: { maxSteps: 8 },
  budget: DEFAULT_BUDGET,
  compaction: { policy: 'balanced', charLimit: null, maxMessages: 50, windowTokens: 120_000 },
  models: { configured: null, table: KNOWN_MODELS },
  retry: DEFAULT_RETRY,
  fallbackModel: null,
};
