/** Time that moves when told to. */
import { describe, expect, it } from 'vitest';
import { createManualClock } from './manual-clock.ts';

describe('manual clock', () => {
  it('stands still until it is moved', () => {
    const clock = createManualClock(1000);
    expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1000, 0]);
    clock.advance(250);
    expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1250, 250]);
  });

  it('runs what is due in order of time, then of asking, each at its own time', () => {
    const clock = createManualClock();
    const runs: string[] = [];
    const note = (name: string) => () => runs.push(`${name}@${clock.monotonicMs()}`);
    clock.after(20, note('b'));
    clock.after(10, note('a'));
    clock.after(20, note('c'));
    clock.after(31, note('later'));
    clock.advance(30);
    expect(runs).toEqual(['a@10', 'b@20', 'c@20']);
    expect(clock.monotonicMs()).toBe(30);
    expect(clock.waiting).toBe(1);
  });

  it('runs what is asked for meanwhile, if it falls due on the way', () => {
    const clock = createManualClock();
    const runs: number[] = [];
    clock.after(10, () => {
      runs.push(clock.monotonicMs());
      clock.after(5, () => runs.push(clock.monotonicMs()));
      clock.after(50, () => runs.push(clock.monotonicMs()));
    });
    clock.advance(20);
    expect(runs).toEqual([10, 15]);
  });

  it('does not run what was taken back', () => {
    const clock = createManualClock();
    let ran = false;
    const takeBack = clock.after(1, () => {
      ran = true;
    });
    takeBack();
    clock.advance(10);
    expect(ran).toBe(false);
    expect(clock.waiting).toBe(0);
  });

  it('moves on when something that it runs moves it', () => {
    const clock = createManualClock();
    clock.after(10, () => clock.advance(100));
    clock.advance(10);
    expect(clock.monotonicMs()).toBe(110);
  });

  it('does not go back', () => {
    expect(() => createManualClock().advance(-1)).toThrow(RangeError);
    expect(() => createManualClock().advance(Number.NaN)).toThrow(RangeError);
  });
});
