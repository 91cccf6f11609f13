/** The machine's clock keeps what the port promises. */
import { describe, expect, it } from 'vitest';
import { systemClock } from './system-clock.ts';

describe('system clock', () => {
  it('knows the year, and a time that never goes back', () => {
    expect(systemClock.nowMs()).toBeGreaterThan(Date.UTC(2025, 0, 1));
    const first = systemClock.monotonicMs();
    expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(first);
  });

  it('runs later what it is asked to, and not what was taken back, nor what is due in a hundred years', async () => {
    const runs: string[] = [];
    const takeBackFar = systemClock.after(100 * 365 * 24 * 3600 * 1000, () => runs.push('far'));
    const takeBack = systemClock.after(0, () => runs.push('taken back'));
    takeBack();
    await new Promise<void>((resolve) => {
      systemClock.after(2, () => {
        runs.push('near');
        resolve();
      });
    });
    takeBackFar();
    expect(runs).toEqual(['near']);
  });
});
