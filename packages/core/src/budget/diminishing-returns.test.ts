/** A turn is cut off only after steps that added little and brought nothing new. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDiminishing, NO_PROGRESS, recordStep, type StepYield } from './diminishing-returns.ts';

const RICH: StepYield = { addedTokens: 900, news: true };
const POOR: StepYield = { addedTokens: 120, news: false };

const after = (...steps: readonly StepYield[]) => steps.reduce(recordStep, NO_PROGRESS);

describe('isDiminishing', () => {
  it('waits for three continuations, however little the steps bring', () => {
    expect(isDiminishing(NO_PROGRESS)).toBe(false);
    expect(isDiminishing(after(POOR))).toBe(false);
    expect(isDiminishing(after(POOR, POOR, POOR))).toBe(false);
    expect(isDiminishing(after(POOR, POOR, POOR, POOR))).toBe(true);
  });

  it('needs the last two steps, not any two', () => {
    expect(isDiminishing(after(RICH, RICH, RICH, POOR))).toBe(false);
    expect(isDiminishing(after(RICH, RICH, RICH, POOR, POOR))).toBe(true);
    expect(isDiminishing(after(POOR, POOR, POOR, RICH))).toBe(false);
    expect(isDiminishing(after(POOR, POOR, POOR, RICH, POOR))).toBe(false);
  });

  it('lets polling that shows change and short edits go on', () => {
    const change: StepYield = { addedTokens: 60, news: true };
    expect(isDiminishing(after(change, change, change, change, change, change))).toBe(false);
  });

  it('lets long results go on although they repeat: the budget bounds those', () => {
    const long: StepYield = { addedTokens: 500, news: false };
    expect(isDiminishing(after(long, long, long, long, long))).toBe(false);
  });

  it('depends on the number of steps and the last two alone, and keeps no more than that', () => {
    const step = fc.record({ addedTokens: fc.integer({ min: 0, max: 1_000 }), news: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const progress = after(...steps);
        const poor = steps.slice(-2).filter(({ addedTokens, news }) => addedTokens < 500 && !news);
        expect(isDiminishing(progress)).toBe(steps.length >= 4 && poor.length === 2);
        expect(progress.continuations).toBe(Math.max(0, steps.length - 1));
        expect(progress.recent.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 1_000 },
    );
  });
});
