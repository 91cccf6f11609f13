/** Dollars: cached tokens at their own price, sums without drift, nothing for what nobody knows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../tokens/usage.ts';
import { addToBill, costUsd, NO_BILL, totalUsd } from './cost.ts';

const prices = { input: 2, cachedInput: 0.5, output: 8 };
const usage = { ...NO_USAGE, promptTokens: 1_000_000, cachedTokens: 400_000, completionTokens: 100_000 };

describe('costUsd', () => {
  it('takes cached tokens at the cached price, and the full one where none is known', () => {
    expect(costUsd(usage, prices)).toBe(0.6 * 2 + 0.4 * 0.5 + 0.1 * 8);
    expect(costUsd(usage, { ...prices, cachedInput: null })).toBe(2.8);
  });

  it('is null without prices, never 0', () => {
    expect(costUsd(usage, null)).toBeNull();
  });

  it('is never negative, whatever a provider calls cached', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (promptTokens, cachedTokens, completionTokens) => {
        const cost = costUsd({ ...NO_USAGE, promptTokens, cachedTokens, completionTokens }, prices);
        expect(cost).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('a bill', () => {
  it('adds up, and has no total once the price of one call is unknown', () => {
    const two = addToBill(addToBill(NO_BILL, 0.1), 0.2);
    expect(totalUsd(two)).toBe(0.3);
    expect(totalUsd(addToBill(two, undefined))).toBeNull();
    expect(totalUsd(NO_BILL)).toBeNull();
  });
});
