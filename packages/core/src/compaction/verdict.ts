/** Whether a compaction did what it is for (context.md 5, Success): tokens decide, the number of messages does not. */

/** Below this gain a compaction is no success: the larger of a share of what there was, and a number of tokens. */
const MIN_GAIN_SHARE = 0.05;
const MIN_GAIN_TOKENS = 500;

export type Verdict = { readonly success: boolean; readonly freedTokens: number };

export function judge(tokensBefore: number, tokensAfter: number, fitsTarget: boolean): Verdict {
  const freedTokens = tokensBefore - tokensAfter;
  const enough = freedTokens >= minGainTokens(tokensBefore);
  return { success: enough || (fitsTarget && freedTokens > 0), freedTokens };
}

export function minGainTokens(tokensBefore: number): number {
  return Math.max(tokensBefore * MIN_GAIN_SHARE, MIN_GAIN_TOKENS);
}

/** A summary must make the request smaller by so much, restored files included, or it is not applied. */
export function isWorthApplying(tokensBefore: number, tokensAfter: number): boolean {
  return tokensBefore - tokensAfter >= tokensBefore * MIN_GAIN_SHARE;
}
