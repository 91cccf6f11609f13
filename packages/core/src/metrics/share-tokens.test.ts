import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareTokens } from './share-tokens.ts';

describe('shareTokens', () => {
  it('gives whole shares of at least 1 that add up to the total', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 40 }),
        fc.nat({ max: 200_000 }),
        (weights, more) => {
          const total = weights.length + more;
          const shares = shareTokens(weights, total);
          expect(shares.every((share) => Number.isInteger(share) && share >= 1)).toBe(true);
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
        },
      ),
    );
  });

  it('gives the weights themselves where they are the total', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 40 }), (weights) => {
        expect(
          shareTokens(
            weights,
            weights.reduce((sum, weight) => sum + weight, 0),
          ),
        ).toEqual(weights);
      }),
    );
  });

  it('gives 1 each where there is less than that', () => {
    expect(shareTokens([10, 20, 30], 2)).toEqual([1, 1, 1]);
  });
});
