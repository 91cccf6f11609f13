/** A clock that stands still until it is moved: time for tests, simulations and replays. */
import type { Clock } from './ports.ts';

export type ManualClock = Clock & {
  /**
   * Moves time on by `ms` and runs all that falls due on the way, in order of time, then of asking, each at its own
   * time; also what is asked for meanwhile. Going back is a `RangeError`.
   */
  advance(ms: number): void;
  /** How many timers wait. */
  readonly waiting: number;
};

type Timer = { readonly dueMs: number; readonly run: () => void };

/** `startMs`: the wall time at which monotonic time is 0. */
export function createManualClock(startMs = 0): ManualClock {
  const timers = new Set<Timer>();
  let elapsedMs = 0;

  const nextDue = (untilMs: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.dueMs <= untilMs && (next === undefined || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  };

  return {
    nowMs: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    after(delayMs, run) {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), run };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`A clock goes forward only: advance(${ms}). Give 0 or more.`);
      const untilMs = elapsedMs + ms;
      for (let timer = nextDue(untilMs); timer !== undefined; timer = nextDue(untilMs)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.run();
      }
      elapsedMs = Math.max(elapsedMs, untilMs);
    },
    get waiting() {
      return timers.size;
    },
  };
}
