/** An escalation never lowers a limit; the trigger never exceeds what the model takes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_BUDGET, escalate, isExhausted, roomTokens, triggerTokens } from './budget.ts';

const budget = fc.record({
  softTokens: fc.integer({ min: 1, max: 200_000 }),
  hardTokens: fc.integer({ min: 1, max: 200_000 }),
});

describe('escalate', () => {
  it('raises the hard limit to 64 000 and leaves the soft one', () => {
    expect(escalate(DEFAULT_BUDGET)).toEqual({ softTokens: 32_000, hardTokens: 64_000 });
  });

  it('goes no further than the window, and says by the same value that nothing is to be gained', () => {
    expect(escalate(DEFAULT_BUDGET, 50_000).hardTokens).toBe(50_000);
    expect(escalate(DEFAULT_BUDGET, 40_000)).toBe(DEFAULT_BUDGET);
    expect(escalate(DEFAULT_BUDGET, 8_000)).toBe(DEFAULT_BUDGET);
  });

  it('never lowers a limit, and a second time changes nothing', () => {
    fc.assert(
      fc.property(budget, fc.nat(200_000), (given, windowTokens) => {
        const once = escalate(given, windowTokens);
        expect(once.hardTokens).toBeGreaterThanOrEqual(given.hardTokens);
        expect(once.softTokens).toBe(given.softTokens);
        expect(escalate(once, windowTokens)).toBe(once);
      }),
    );
  });
});

describe('the trigger and the room below it', () => {
  it('is the soft limit, unless the model takes less', () => {
    expect(triggerTokens(DEFAULT_BUDGET)).toBe(32_000);
    expect(triggerTokens(DEFAULT_BUDGET, 128_000)).toBe(32_000);
    expect(triggerTokens(DEFAULT_BUDGET, 7_000)).toBe(7_000);
  });

  it('leaves no negative room when the fixed part alone is over it', () => {
    expect(roomTokens(32_000, 3_000)).toBe(29_000);
    expect(roomTokens(7_000, 39_000)).toBe(0);
  });
});

describe('isExhausted', () => {
  it('begins at the hard limit and ends when that is raised', () => {
    expect(isExhausted(39_999, DEFAULT_BUDGET)).toBe(false);
    expect(isExhausted(40_000, DEFAULT_BUDGET)).toBe(true);
    expect(isExhausted(40_000, escalate(DEFAULT_BUDGET))).toBe(false);
  });
});
