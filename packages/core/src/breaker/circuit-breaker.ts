/** Withholds the summarising model after repeated failures, for a while (context.md 5, "Success, breaker, guard"). */

/** State of the breaker: one a session, living across turns; plain JSON. Times are milliseconds since the epoch. */
export type CircuitBreaker =
  | { readonly state: 'closed'; readonly failures: number }
  | { readonly state: 'open'; readonly openedAtMs: number }
  /** One attempt is under way; its outcome decides. */
  | { readonly state: 'half_open'; readonly openedAtMs: number; readonly attemptedAtMs: number };

export type BreakerEvent =
  /** The model is about to be asked for a summary. */
  | 'attempt'
  /** A compaction in which the model was asked succeeded. One by the free layers alone is no event. */
  | 'success'
  /** A summary was refused (once a compaction, however many tries), or a compaction brought nothing. */
  | 'failure'
  /** A compaction that a person or the model asked for succeeded; it never had to ask the breaker. */
  | 'manual_success'
  /** The user stopped it: says nothing about the model. */
  | 'aborted';

export const CLOSED_BREAKER: CircuitBreaker = { state: 'closed', failures: 0 };

const MAX_CONSECUTIVE_FAILURES = 3;
const COOL_DOWN_MS = 300_000;

/**
 * Whether a compaction may ask the model now; a manual one need not ask. Half-open lets no second attempt through,
 * unless the first has been silent for 300 s (its process may have died).
 */
export function mayAttempt(breaker: CircuitBreaker, nowMs: number): boolean {
  switch (breaker.state) {
    case 'closed':
      return true;
    case 'open':
      return hasCooledDown(breaker.openedAtMs, nowMs);
    case 'half_open':
      return hasCooledDown(breaker.attemptedAtMs, nowMs);
    default:
      return breaker satisfies never;
  }
}

/** The breaker after `event`. Total: an event that does not fit the state (a late outcome) changes nothing. */
export function breakerAfter(breaker: CircuitBreaker, event: BreakerEvent, nowMs: number): CircuitBreaker {
  if (event === 'manual_success') return CLOSED_BREAKER;
  switch (breaker.state) {
    case 'closed':
      return closedAfter(breaker.failures, event, nowMs);
    case 'open':
      return mayAttempt(breaker, nowMs) ? dueAfter(breaker, event, nowMs) : breaker;
    case 'half_open':
      return halfOpenAfter(breaker, event, nowMs);
    default:
      return breaker satisfies never;
  }
}

type AutomaticEvent = Exclude<BreakerEvent, 'manual_success'>;

function closedAfter(failuresBefore: number, event: AutomaticEvent, nowMs: number): CircuitBreaker {
  switch (event) {
    case 'success':
      return CLOSED_BREAKER;
    case 'failure': {
      const failures = failuresBefore + 1;
      return failures < MAX_CONSECUTIVE_FAILURES
        ? { state: 'closed', failures }
        : { state: 'open', openedAtMs: nowMs };
    }
    case 'attempt':
    case 'aborted':
      return { state: 'closed', failures: failuresBefore };
    default:
      return event satisfies never;
  }
}

/** Open, and an attempt is due: an outcome that comes now is that of the attempt, told or not. */
function dueAfter(
  breaker: CircuitBreaker & { readonly state: 'open' },
  event: AutomaticEvent,
  nowMs: number,
): CircuitBreaker {
  const attempting: CircuitBreaker = {
    state: 'half_open',
    openedAtMs: breaker.openedAtMs,
    attemptedAtMs: nowMs,
  };
  return event === 'attempt' ? attempting : halfOpenAfter(attempting, event, nowMs);
}

function halfOpenAfter(
  breaker: CircuitBreaker & { readonly state: 'half_open' },
  event: AutomaticEvent,
  nowMs: number,
): CircuitBreaker {
  switch (event) {
    case 'success':
      return CLOSED_BREAKER;
    case 'failure':
      return { state: 'open', openedAtMs: nowMs };
    case 'aborted':
      return { state: 'open', openedAtMs: breaker.openedAtMs };
    case 'attempt':
      return mayAttempt(breaker, nowMs) ? { ...breaker, attemptedAtMs: nowMs } : breaker;
    default:
      return event satisfies never;
  }
}

/**
 * A clock that was set back must not keep the breaker open for as long: a time further than 300 s in the future
 * counts as past, a nearer one is waited for. Either way an attempt comes within 600 s.
 */
function hasCooledDown(sinceMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) >= COOL_DOWN_MS;
}
