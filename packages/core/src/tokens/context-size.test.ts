/** Counting (context.md 3): anchored to what is reported, calibrated by it, and not fooled by nonsense. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTokens, EMPTY_CONTEXT, estimateContext, recordUsage, settleUsage } from './context-size.ts';
import { NO_USAGE, type Usage } from './usage.ts';

const usage = (promptTokens: number, completionTokens: number): Usage => ({
  ...NO_USAGE,
  promptTokens,
  completionTokens,
});

describe('estimateContext', () => {
  it('is our own count until somebody reports', () => {
    expect(estimateContext(addTokens(addTokens(EMPTY_CONTEXT, 700), 300))).toBe(1_000);
  });

  it('is the last report plus what came after it, at the learnt ratio', () => {
    const anchored = recordUsage(addTokens(EMPTY_CONTEXT, 1_000), usage(1_500, 60), 40);
    expect(estimateContext(anchored)).toBe(1_560);
    expect(estimateContext(addTokens(anchored, 100))).toBe(1_560 + 150);
  });

  it('comes within 2 % of a provider that counts differently after three responses', () => {
    const ratios = fc.double({ min: 0.4, max: 3, noNaN: true });
    const sizes = fc.array(fc.integer({ min: 20, max: 4_000 }), { minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(ratios, sizes, (ratio, messages) => {
        let size = addTokens(EMPTY_CONTEXT, 500);
        messages.forEach((tokens, index) => {
          size = addTokens(size, tokens);
          const real = size.countedTokens * ratio;
          if (index >= 3) expect(Math.abs(estimateContext(size) - real)).toBeLessThanOrEqual(real * 0.02 + 2);
          size = recordUsage(size, usage(real, 30 * ratio), 30);
        });
      }),
    );
  });
});

describe('settleUsage', () => {
  const size = addTokens(EMPTY_CONTEXT, 1_000);

  it('believes what is between a fifth and five times our count', () => {
    expect(settleUsage(size, usage(200, 5), 9)).toEqual(usage(200, 5));
    expect(settleUsage(size, usage(5_000, 5), 9)).toEqual(usage(5_000, 5));
  });

  it.each([
    ['nothing', null],
    ['zero', usage(0, 0)],
    ['too little', usage(1, 0)],
    ['too much', usage(9_000_000, 1)],
    ['a negative completion', usage(1_000, -4)],
    ['no number', usage(Number.NaN, 1)],
  ])('takes our own count, marked as such, where the provider reports %s', (_, reported) => {
    expect(settleUsage(size, reported, 9)).toEqual({ ...usage(1_000, 9), estimated: true });
  });

  it('counts the responses that were not believed and keeps the anchor as it was', () => {
    const grown = recordUsage(size, { ...usage(1_000, 9), estimated: true }, 9);
    expect(grown).toEqual({ ...addTokens(size, 9), disbelieved: 1 });
  });
});
