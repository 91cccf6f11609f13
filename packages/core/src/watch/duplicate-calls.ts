/** The loop guard: the same call three times running, and short cycles of calls that change nothing (context.md 4). */
import { canonicalJson } from './canonical-json.ts';
import type { ResultMark } from './news.ts';
import { type TextHash, textHash } from './text-hash.ts';

/** A call as the guard compares it. */
export type GuardedCall = {
  readonly toolCallId: string;
  /** Equal for calls of the same tool with arguments that mean the same. */
  readonly key: TextHash;
  /** The tool asks how something stands: asking again is right as long as the answer changes. */
  readonly poll: boolean;
};

type RecordedCall = GuardedCall & {
  readonly refused: boolean;
  /** Null: none yet. A refused call keeps the result that it would have repeated. */
  readonly result: TextHash | null;
};

/** State of the guard: one an agent and turn, plain JSON, of bounded size. */
export type CallGuard = {
  /** The newest last; at most `WINDOW`. */
  readonly recent: readonly RecordedCall[];
  /** How many times in a row the newest call was asked for; for a poll, since its result last changed. */
  readonly times: number;
};

export const NEW_CALL_GUARD: CallGuard = { recent: [], times: 0 };

export type CallVerdict =
  | { readonly kind: 'run' }
  /** Not to be run: asked for `times` times in a row, this one included. */
  | { readonly kind: 'duplicate'; readonly times: number }
  /** Not to be run: it would go on with a cycle of `length` calls that went round 3 times with the same results. */
  | { readonly kind: 'cycle'; readonly length: number };

const MAX_IN_A_ROW = 2;
const ROUNDS = 3;
const MAX_CYCLE = 5;
const WINDOW = ROUNDS * MAX_CYCLE;

/** `argumentsJson`: as the model wrote it. Costs its length; everything else here is constant work. */
export function guardedCall(
  call: { readonly toolCallId: string; readonly name: string; readonly arguments: string },
  poll: boolean,
): GuardedCall {
  const key = textHash(`${call.name}\n${canonicalJson(call.arguments)}`);
  return { toolCallId: call.toolCallId, key, poll };
}

/** Whether `call` may run, asked before it is recorded. */
export function judgeCall(guard: CallGuard, call: GuardedCall): CallVerdict {
  const times = timesInARow(guard, call);
  if (times > MAX_IN_A_ROW) return { kind: 'duplicate', times };
  for (let length = 2; length <= MAX_CYCLE; length++) {
    if (continuesCycle(guard.recent, call, length)) return { kind: 'cycle', length };
  }
  return { kind: 'run' };
}

/** `call` was asked for, and ran or not as `judgeCall` says. */
export function recordCall(guard: CallGuard, call: GuardedCall): CallGuard {
  const verdict = judgeCall(guard, call);
  const repeated = verdict.kind === 'run' ? undefined : guard.recent.at(-repeatedAfter(verdict));
  const recorded = { ...call, refused: verdict.kind !== 'run', result: repeated?.result ?? null };
  return withTimes([...guard.recent.slice(1 - WINDOW), recorded], timesInARow(guard, call));
}

/** Judges and records the calls of one assistant message, in call order. */
export function recordCalls(
  guard: CallGuard,
  calls: readonly GuardedCall[],
): { readonly guard: CallGuard; readonly verdicts: readonly CallVerdict[] } {
  let next = guard;
  const verdicts = calls.map((call) => {
    const verdict = judgeCall(next, call);
    next = recordCall(next, call);
    return verdict;
  });
  return { guard: next, verdicts };
}

/** The result of a call is known. That of a refused or long forgotten call changes nothing. */
export function recordOutcome(guard: CallGuard, toolCallId: string, result: ResultMark): CallGuard {
  const index = guard.recent.findLastIndex((call) => call.toolCallId === toolCallId);
  const call = guard.recent[index];
  if (call === undefined || call.refused) return guard;
  const hash = result === 'unchanged' ? resultBefore(guard.recent, index) : result;
  return withTimes(guard.recent.with(index, { ...call, result: hash }), guard.times);
}

function timesInARow(guard: CallGuard, call: GuardedCall): number {
  return guard.recent.at(-1)?.key === call.key ? guard.times + 1 : 1;
}

/** `times`: in a row, were it not for changed results. */
function withTimes(recent: readonly RecordedCall[], times: number): CallGuard {
  return { recent, times: sinceChange(recent) ?? times };
}

/** How many calls back stands the one that a refused call repeats. */
function repeatedAfter(verdict: Exclude<CallVerdict, { kind: 'run' }>): number {
  return verdict.kind === 'cycle' ? verdict.length : 1;
}

/**
 * The last three rounds of `length` calls are alike, results included, and `call` would begin the next. One call over
 * and over is no cycle: a poll that swings between two answers does change.
 */
function continuesCycle(recent: readonly RecordedCall[], call: GuardedCall, length: number): boolean {
  const start = recent.length - ROUNDS * length;
  if (start < 0 || recent[start]?.key !== call.key) return false;
  if (recent.slice(start, start + length).every(({ key }) => key === call.key)) return false;
  return recent.slice(start + length).every((later, offset) => {
    const earlier = recent[start + offset];
    return earlier?.key === later.key && later.result !== null && earlier.result === later.result;
  });
}

/** What the same call gave the last time before `index`: that is what "unchanged" means. */
function resultBefore(recent: readonly RecordedCall[], index: number): TextHash {
  const key = recent[index]?.key;
  const earlier = recent.slice(0, index).findLast((call) => call.key === key && call.result !== null);
  return earlier?.result ?? 'unchanged';
}

/** Length of the run of equal polls at the end that begins with a changed result; null: there is no such change. */
function sinceChange(recent: readonly RecordedCall[]): number | null {
  const newest = recent.at(-1);
  if (newest === undefined || !newest.poll) return null;
  for (let index = recent.length - 1; index > 0; index--) {
    const before = recent[index - 1];
    const result = recent[index]?.result ?? null;
    if (before?.key !== newest.key) return null;
    if (result !== null && before.result !== null && result !== before.result) return recent.length - index;
  }
  return null;
}
