/** The clock of the machine: the only file that asks for the time. Composition roots pass it in. */
import type { Clock } from './ports.ts';

/** Beyond this a Node timer would fire at once; longer waits fire early, after 24.8 days. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(delayMs, LONGEST_DELAY_MS));
    return () => clearTimeout(timer);
  },
};
