/** Decides when a silent provider has been silent for too long (recovery.md, Providers: any byte is life). */
import type { Clock } from '../ports.ts';

export type IdleTimeout = {
  /** We wait for the provider from now on; called again at each sign of life. */
  wait(): void;
  /** We are busy ourselves: silence does not count until the next `wait`. */
  rest(): void;
  /** No call of `onIdle` after this. */
  close(): void;
};

/**
 * Calls `onIdle` once when `timeoutMs` have passed since the last `wait`. One timer serves many signs of life: it
 * looks at the time of the last one when it fires, so a fast stream costs a clock reading a chunk, no timer.
 */
export function createIdleTimeout(clock: Clock, timeoutMs: number, onIdle: () => void): IdleTimeout {
  let waitingSinceMs: number | null = null;
  let takeBack: (() => void) | null = null;

  const arm = (delayMs: number) => {
    takeBack = clock.after(delayMs, fire);
  };
  const fire = () => {
    takeBack = null;
    if (waitingSinceMs === null) return;
    const leftMs = waitingSinceMs + timeoutMs - clock.monotonicMs();
    if (leftMs > 0) return arm(leftMs);
    waitingSinceMs = null;
    onIdle();
  };

  return {
    wait() {
      waitingSinceMs = clock.monotonicMs();
      if (takeBack === null) arm(timeoutMs);
    },
    rest() {
      waitingSinceMs = null;
    },
    close() {
      waitingSinceMs = null;
      takeBack?.();
      takeBack = null;
    },
  };
}
