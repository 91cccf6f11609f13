/** Performs one wait between two tries of a model call: told to readers first, ended at once by a cancel. */
import type { Action, NewEvent, RunningTurn } from '@astroresearch/core';
import { stampOf } from './stamp.ts';
import type { TurnParts } from './turn-parts.ts';

type Wait = Extract<Action, { kind: 'wait' }>;

export async function* waitBeforeRetry(
  action: Wait,
  turn: RunningTurn,
  parts: TurnParts,
): AsyncGenerator<readonly NewEvent[]> {
  const { failure, attempt, delayMs } = action;
  const stamp = stampOf(turn, parts);
  // What was streamed of the failed try is void: readers start the message again, from nothing.
  parts.log.publish({ ...stamp, type: 'text-snapshot', text: '' });
  const asked = failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs };
  yield [{ ...stamp, type: 'retry', kind: failure.kind, attempt, delayMs, ...asked }];
  await pause(delayMs, parts);
}

function pause(delayMs: number, { clock, signal }: TurnParts): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      takeBack();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const takeBack = clock.after(delayMs, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
