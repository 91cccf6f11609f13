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
  if (last === null || contextTokens >= last + triggerTokens * MIN_GROWTH_SHARE) return 'auto';
  // Over the hard limit any growth will do, now that what was pinned then may go.
  const mustFall = contextTokens > state.hardTokens && contextTokens > last;
  return mustFall && state.pinnedTokens() <= triggerTokens ? 'auto' : null;
}
