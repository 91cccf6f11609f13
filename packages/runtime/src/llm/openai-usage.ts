/** Reads the `usage` of a chat completion, in the spellings of the compatible providers. */
import type { Usage } from '@astroresearch/core';
import { asCount, asRecord } from './json-fields.ts';

/** Null where there is none, or a field that must be a count is not: absent, so that our own count takes its place. */
export function usageOf(value: unknown): Usage | null {
  const usage = asRecord(value);
  if (usage === null) return null;
  const promptTokens = asCount(usage.prompt_tokens);
  const completionTokens = asCount(usage.completion_tokens);
  if (promptTokens === null || completionTokens === null) return null;
  if (promptTokens === 0 && completionTokens === 0) return null;
  const cached =
    asCount(asRecord(usage.prompt_tokens_details)?.cached_tokens) ?? asCount(usage.prompt_cache_hit_tokens);
  const reasoning = asCount(asRecord(usage.completion_tokens_details)?.reasoning_tokens);
  return {
    promptTokens,
    completionTokens,
    cachedTokens: Math.min(cached ?? 0, promptTokens),
    reasoningTokens: Math.min(reasoning ?? 0, completionTokens),
    estimated: false,
  };
}
