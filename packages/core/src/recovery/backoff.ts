/** Whether to try the same request again, and after how long (recovery.md, Backoff). */
import { type ErrorKind, isRetryable, type ModelFailure } from './error-kind.ts';

export type RetrySettings = {
  /** First delay; doubles with each try. */
  readonly baseMs: number;
  readonly longestDelayMs: number;
  readonly maxAttempts: number;
  /** All waits of one call together. */
  readonly maxTotalMs: number;
  /** A provider that asks for more is not waited for. */
  readonly longestRetryAfterMs: number;
};

export const DEFAULT_RETRY: RetrySettings = {
  baseMs: 500,
  longestDelayMs: 32_000,
  maxAttempts: 10,
  maxTotalMs: 180_000,
  longestRetryAfterMs: 120_000,
};

/** These rarely heal by waiting: a few tries, then a person should know. */
const FEW_ATTEMPTS: ReadonlySet<ErrorKind> = new Set(['network', 'server_error']);
const MAX_FEW_ATTEMPTS = 3;
const JITTER_SHARE = 0.25;

export type Attempts = {
  /** Failed tries of this call so far, the newest included; from 1. */
  readonly failed: number;
  readonly waitedMs: number;
  /** Different for each session: sessions that failed together do not come back together. */
  readonly seed: string;
};

/** Milliseconds to wait before the next try; null: do not try again. */
export function retryDelay(
  failure: ModelFailure,
  attempts: Attempts,
  settings: RetrySettings,
): number | null {
  if (!isRetryable(failure.kind)) return null;
  const limit = FEW_ATTEMPTS.has(failure.kind) ? MAX_FEW_ATTEMPTS : settings.maxAttempts;
  if (attempts.failed > limit) return null;
  const asked = failure.retryAfterMs ?? 0;
  if (asked > settings.longestRetryAfterMs) return null;
  const exponential = Math.min(settings.baseMs * 2 ** (attempts.failed - 1), settings.longestDelayMs);
  const jitter = 1 + JITTER_SHARE * fraction(`${attempts.seed}/${attempts.failed}`);
  const delayMs = Math.round(Math.max(asked, exponential) * jitter);
  return attempts.waitedMs + delayMs > settings.maxTotalMs ? null : delayMs;
}

/** A number in [0, 1) that depends on the text alone (FNV-1a with a final mix). */
function fraction(seed: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) {
    hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
