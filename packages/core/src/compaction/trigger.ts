/** Whether to compact at all now (context.md 5, Trigger): by size, by request, never without growth since the last. */

export type TriggerState = {
  readonly contextTokens: number;
  readonly triggerTokens: number;
  /** Of the request right after the last compaction; null: there was none. */
  readonly lastCompactedTokens: number | null;
  /** The model or a person asked for it. */
  readonly manualRequested: boolean;
  readonly hardTokens: number;
  /** What no layer may touch, system prompt and tools included; asked for only over the hard limit. */
  readonly pinnedTokens: () => number;
  /** One compaction a step at most. */
  readonly compactedInThisStep: boolean;
};

/** Growth since the last compaction that makes another try worth its while. */
const MIN_GROWTH_SHARE = 0.05;
/** Below this there is nothing to gain. */
export const MIN_HISTORY_TOKENS = 2_000;

export function compactionDue(state: TriggerState): 'auto' | 'manual' | null {
  if (state.compactedInThisStep) return null;
  if (state.manualRequested) return 'manual';
  if (state.contextTokens <= state.triggerTokens) return null;
  const { lastCompactedTokens: last, contextTokens, triggerTokens } = state;
  if (hasGrown(state)) return 'auto';
  // Over the hard limit any growth will do, now that what was pinned then may go.
  const mustFall = contextTokens > state.hardTokens && contextTokens > (last ?? 0);
  return mustFall && state.pinnedTokens() <= triggerTokens ? 'auto' : null;
}

/** Of the trigger: from here on a summary is prepared beside the running step. */
const PREPARE_SHARE = 0.85;

/** Whether a compaction is near enough for its summary to be written ahead (context.md 5, Ready before it is needed). */
export function isPreparationDue(state: PreparationState): boolean {
  const { contextTokens, triggerTokens } = state;
  if (contextTokens < triggerTokens * PREPARE_SHARE || contextTokens > triggerTokens) return false;
  // Where the last compaction left as much, the next one is as far off as ever.
  return hasGrown(state);
}

/** Enough since the last compaction for another to be worth its while. */
function hasGrown({ contextTokens, triggerTokens, lastCompactedTokens: last }: PreparationState): boolean {
  return last === null || contextTokens >= last + triggerTokens * MIN_GROWTH_SHARE;
}

export type PreparationState = Pick<TriggerState, 'contextTokens' | 'triggerTokens' | 'lastCompactedTokens'>;
