/** Opens after three failures in a row, and is never a one-way latch. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BreakerEvent,
  breakerAfter,
  type CircuitBreaker,
  CLOSED_BREAKER,
  mayAttempt,
} from './circuit-breaker.ts';

const MINUTES_MS = 60_000;

/** Events with the time of each, from a closed breaker. */
function after(...story: readonly (readonly [BreakerEvent, number])[]): CircuitBreaker {
  return story.reduce((breaker, [event, nowMs]) => breakerAfter(breaker, event, nowMs), CLOSED_BREAKER);
}

const OPEN_SINCE_3 = after(['failure', 1], ['failure', 2], ['failure', 3]);

describe('the circuit breaker', () => {
  it('opens at the third failure in a row, not before', () => {
    expect(after(['failure', 1], ['failure', 2])).toEqual({ state: 'closed', failures: 2 });
    expect(OPEN_SINCE_3).toEqual({ state: 'open', openedAtMs: 3 });
    expect(after(['failure', 1], ['failure', 2], ['success', 3], ['failure', 4])).toEqual({
      state: 'closed',
      failures: 1,
    });
  });

  it('lets one attempt through after 300 s, and no second beside it', () => {
    expect(mayAttempt(OPEN_SINCE_3, 3 + 5 * MINUTES_MS - 1)).toBe(false);
    const nowMs = 3 + 5 * MINUTES_MS;
    expect(mayAttempt(OPEN_SINCE_3, nowMs)).toBe(true);
    const trying = breakerAfter(OPEN_SINCE_3, 'attempt', nowMs);
    expect(trying).toEqual({ state: 'half_open', openedAtMs: 3, attemptedAtMs: nowMs });
    expect(mayAttempt(trying, nowMs + MINUTES_MS)).toBe(false);
  });

  it('closes when the attempt succeeds and opens anew when it fails', () => {
    const nowMs = 3 + 5 * MINUTES_MS;
    const trying = breakerAfter(OPEN_SINCE_3, 'attempt', nowMs);
    expect(breakerAfter(trying, 'success', nowMs + 9)).toEqual(CLOSED_BREAKER);
    expect(breakerAfter(trying, 'failure', nowMs + 9)).toEqual({ state: 'open', openedAtMs: nowMs + 9 });
  });

  it('takes an outcome that comes when an attempt was due for that attempt, told or not', () => {
    const nowMs = 3 + 5 * MINUTES_MS;
    expect(breakerAfter(OPEN_SINCE_3, 'success', nowMs)).toEqual(CLOSED_BREAKER);
    expect(breakerAfter(OPEN_SINCE_3, 'failure', nowMs)).toEqual({ state: 'open', openedAtMs: nowMs });
  });

  it('is not moved by a late outcome, nor is its wait prolonged', () => {
    expect(breakerAfter(OPEN_SINCE_3, 'success', MINUTES_MS)).toBe(OPEN_SINCE_3);
    expect(breakerAfter(OPEN_SINCE_3, 'failure', MINUTES_MS)).toBe(OPEN_SINCE_3);
  });

  it('does not count what the user stopped; an aborted attempt may be made again at once', () => {
    expect(after(['failure', 1], ['failure', 2], ['aborted', 3])).toEqual({ state: 'closed', failures: 2 });
    const nowMs = 3 + 5 * MINUTES_MS;
    const aborted = breakerAfter(breakerAfter(OPEN_SINCE_3, 'attempt', nowMs), 'aborted', nowMs + 1);
    expect(aborted).toEqual(OPEN_SINCE_3);
    expect(mayAttempt(aborted, nowMs + 1)).toBe(true);
  });

  it('is reset by a manual success in every state', () => {
    const trying = breakerAfter(OPEN_SINCE_3, 'attempt', 10 * MINUTES_MS);
    for (const breaker of [CLOSED_BREAKER, after(['failure', 1]), OPEN_SINCE_3, trying]) {
      expect(breakerAfter(breaker, 'manual_success', 20)).toEqual(CLOSED_BREAKER);
    }
  });

  it('tries again 300 s after an attempt whose process died', () => {
    const trying = breakerAfter(OPEN_SINCE_3, 'attempt', 10 * MINUTES_MS);
    expect(mayAttempt(trying, 15 * MINUTES_MS)).toBe(true);
    expect(breakerAfter(trying, 'attempt', 15 * MINUTES_MS)).toMatchObject({
      attemptedAtMs: 15 * MINUTES_MS,
    });
  });
});

describe('over generated stories', () => {
  const event = fc.constantFrom<BreakerEvent>(
    ...(['attempt', 'success', 'failure', 'failure', 'failure', 'manual_success', 'aborted'] as const),
  );
  /** The clock may be set back or forth by anything between two events. */
  const story = fc.array(fc.tuple(event, fc.integer({ min: -20 * MINUTES_MS, max: 20 * MINUTES_MS })), {
    maxLength: 40,
  });

  it('opens only by a failure, and closes only by a success', () => {
    fc.assert(
      fc.property(story, (events) => {
        let breaker = CLOSED_BREAKER;
        for (const [name, nowMs] of events) {
          const next = breakerAfter(breaker, name, nowMs);
          if (next.state === 'open' && breaker.state === 'closed') {
            expect([name, breaker.failures]).toEqual(['failure', 2]);
          }
          if (next.state === 'closed' && breaker.state !== 'closed') expect(name).toMatch(/success$/);
          if (next.state === 'half_open' && breaker.state !== 'half_open') {
            expect([name, mayAttempt(breaker, nowMs)]).toEqual(['attempt', true]);
          }
          breaker = next;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('lets another attempt through within 600 s, wherever the clock was set before', () => {
    fc.assert(
      fc.property(story, fc.integer({ min: -60 * MINUTES_MS, max: 60 * MINUTES_MS }), (events, nowMs) => {
        const breaker = after(...events);
        const due = Array.from({ length: 601 }, (_, seconds) => mayAttempt(breaker, nowMs + seconds * 1000));
        expect(due).toContain(true);
      }),
      { numRuns: 500 },
    );
  });

  it('with a clock that only goes forward never asks twice within 300 s while it is not closed', () => {
    const forward = fc.array(fc.tuple(event, fc.nat(8 * MINUTES_MS)), { maxLength: 40 });
    fc.assert(
      fc.property(forward, (steps) => {
        let breaker = CLOSED_BREAKER;
        let nowMs = 0;
        let failedAtMs: number | null = null;
        for (const [name, waitMs] of steps) {
          nowMs += waitMs;
          if (breaker.state !== 'closed' && failedAtMs !== null && mayAttempt(breaker, nowMs)) {
            expect(nowMs - failedAtMs).toBeGreaterThanOrEqual(5 * MINUTES_MS);
          }
          const next = breakerAfter(breaker, name, nowMs);
          if (next.state === 'open' && next.openedAtMs === nowMs) failedAtMs = nowMs;
          if (next.state === 'closed') failedAtMs = null;
          breaker = next;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('is plain JSON: after a restart it is the same value', () => {
    fc.assert(
      fc.property(story, (events) => {
        const breaker = after(...events);
        expect(JSON.parse(JSON.stringify(breaker))).toEqual(breaker);
      }),
    );
  });
});
