/** Token usage as the provider reported it, and sums of it (context.md 3). */

export type Usage = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** Our own count: the provider reported nothing, or nothing that could be believed. */
  readonly estimated: boolean;
};

export const NO_USAGE: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  estimated: false,
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    estimated: a.estimated || b.estimated,
  };
}

/** A smaller request is counted too coarsely to suspect anyone. */
const MIN_SUSPECT_TOKENS = 2_000;
const SUSPECT_SHARE = 0.6;

/** The provider read under 60 % of what we sent, by a report that is believed: it may have cut the rest (reliability.md 4.2). */
export function isSuspectedTruncation(usage: Usage, countedPromptTokens: number): boolean {
  if (usage.estimated || countedPromptTokens < MIN_SUSPECT_TOKENS) return false;
  return usage.promptTokens < countedPromptTokens * SUSPECT_SHARE;
}

/** Below 20 % or above 500 % of our own count, a reported prompt size is nonsense and is not believed. */
export function isBelievable(usage: Omit<Usage, 'estimated'>, countedPromptTokens: number): boolean {
  const { promptTokens, completionTokens } = usage;
  if (!Number.isFinite(promptTokens) || !Number.isFinite(completionTokens)) return false;
  if (promptTokens <= 0 || completionTokens < 0) return false;
  return promptTokens >= countedPromptTokens * 0.2 && promptTokens <= countedPromptTokens * 5;
}
