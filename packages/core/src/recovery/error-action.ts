/** What is done about each kind of failure (reliability.md 4.1). */
import { type ErrorKind, isRetryable } from './error-kind.ts';
import type { RecoveryAction } from './recovery-action.ts';

export type ErrorAction = 'wait' | RecoveryAction;

const ACTIONS: Readonly<Partial<Record<ErrorKind, RecoveryAction>>> = {
  context_too_long: 'shrink_output',
  output_limit: 'shrink_output',
  output_truncated: 'multi_turn',
  payload_too_large: 'aggressive_compact',
  tool_pairing: 'repair_history',
  content_filter: 'quarantine',
};

/** The first thing that is tried; `surface`: nothing but telling the user. A wait that is too long is none. */
export function actionFor(kind: ErrorKind, retryAfterMs: number | null, longestWaitMs: number): ErrorAction {
  if (isRetryable(kind)) return retryAfterMs !== null && retryAfterMs > longestWaitMs ? 'surface' : 'wait';
  return ACTIONS[kind] ?? 'surface';
}
