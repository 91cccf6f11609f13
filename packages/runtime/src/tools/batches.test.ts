import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batches, MAX_PARALLEL_CALLS } from './batches.ts';

const isRead = (call: string) => call.startsWith('r');

describe('batches', () => {
  it('puts neighbouring reads together and everything else alone', () => {
    expect(batches(['r1', 'r2', 'w1', 'r3', 'w2', 'w3', 'r4', 'r5'], isRead)).toEqual([
      ['r1', 'r2'],
      ['w1'],
      ['r3'],
      ['w2'],
      ['w3'],
      ['r4', 'r5'],
    ]);
    expect(batches([], isRead)).toEqual([]);
  });

  it('keeps all calls in their order, at most eight together, and never an effect beside another call', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('r', 'w'), { maxLength: 40 }), (calls) => {
        const groups = batches(calls, isRead);
        expect(groups.flat()).toEqual(calls);
        for (const group of groups) {
          expect(group.length).toBeGreaterThan(0);
          expect(group.length).toBeLessThanOrEqual(MAX_PARALLEL_CALLS);
          if (group.length > 1) expect(group.every(isRead)).toBe(true);
        }
      }),
    );
  });
});
