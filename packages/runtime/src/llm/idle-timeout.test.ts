/** When silence counts and when it does not. */
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../manual-clock.ts';
import { createIdleTimeout } from './idle-timeout.ts';

function start() {
  const clock = createManualClock();
  const fired: number[] = [];
  const idle = createIdleTimeout(clock, 100, () => fired.push(clock.monotonicMs()));
  return { clock, idle, fired };
}

describe('idle timeout', () => {
  it('fires once, a whole timeout after the last sign of life', () => {
    const { clock, idle, fired } = start();
    idle.wait();
    clock.advance(60);
    idle.wait();
    clock.advance(60);
    idle.wait();
    clock.advance(500);
    expect(fired).toEqual([220]);
  });

  it('does not count while we are busy, and counts from the next wait', () => {
    const { clock, idle, fired } = start();
    idle.wait();
    clock.advance(99);
    idle.rest();
    clock.advance(1000);
    idle.wait();
    clock.advance(99);
    expect(fired).toEqual([]);
    clock.advance(1);
    expect(fired).toEqual([1199]);
  });

  it('needs one timer however many signs of life there are', () => {
    const { clock, idle } = start();
    for (let nth = 0; nth < 50; nth++) {
      idle.wait();
      clock.advance(10);
      expect(clock.waiting).toBe(1);
    }
  });

  it('never fires after close and leaves no timer behind', () => {
    const { clock, idle, fired } = start();
    idle.wait();
    idle.close();
    clock.advance(1000);
    expect(fired).toEqual([]);
    expect(clock.waiting).toBe(0);
  });
});
