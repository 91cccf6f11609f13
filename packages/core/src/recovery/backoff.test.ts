/** Retries are bounded by count and time, and hopeless errors are never retried (I35). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RETRY, retryDelay } from './backoff.ts';
import { ERROR_KINDS, type ErrorKind, isRetryable, type ModelFailure } from './error-kind.ts';

const failure = (kind: ErrorKind, retryAfterMs?: number): ModelFailure => ({
  kind,
  message: '',
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

function schedule(reason: ModelFailure, seed: string): readonly number[] {
  const delays: number[] = [];
  for (;;) {
    const waitedMs = delays.reduce((sum, delay) => sum + delay, 0);
    const delayMs = retryDelay(reason, { failed: delays.length + 1, waitedMs, seed }, DEFAULT_RETRY);
    if (delayMs === null) return delays;
    delays.push(delayMs);
  }
}

describe('retryDelay', () => {
  it('doubles from half a second, with at most a quarter more, up to 32 s', () => {
    schedule(failure('rate_limited'), 'a').forEach((delayMs, index) => {
      const plain = Math.min(500 * 2 ** index, 32_000);
      expect(delayMs).toBeGreaterThanOrEqual(plain);
      expect(delayMs).toBeLessThanOrEqual(plain * 1.25);
    });
  });

  it('ends after at most 10 tries and 180 s, whatever the failure and the seed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ERROR_KINDS),
        fc.string(),
        fc.option(fc.nat(200_000)),
        (kind, seed, asked) => {
          const delays = schedule(failure(kind, asked ?? undefined), seed);
          expect(delays.length).toBeLessThanOrEqual(isRetryable(kind) ? 10 : 0);
          expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThanOrEqual(180_000);
        },
      ),
    );
  });

  it('tries an unreachable or broken server three times only', () => {
    expect(schedule(failure('network'), 'a')).toHaveLength(3);
    expect(schedule(failure('server_error'), 'a')).toHaveLength(3);
  });

  it('waits at least as long as the provider asked, and not at all for more than two minutes', () => {
    const first = schedule(failure('rate_limited', 7_000), 'a')[0] ?? 0;
    expect(first).toBeGreaterThanOrEqual(7_000);
    expect(first).toBeLessThanOrEqual(8_750);
    expect(schedule(failure('rate_limited', 121_000), 'a')).toEqual([]);
  });

  it('is the same for the same session and differs between sessions', () => {
    expect(schedule(failure('overloaded'), 'a')).toEqual(schedule(failure('overloaded'), 'a'));
    expect(schedule(failure('overloaded'), 'a')).not.toEqual(schedule(failure('overloaded'), 'b'));
  });
});
