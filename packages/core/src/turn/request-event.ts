/** Which events say that a request is sent: the number of the newest request is how many there have been. */
import type { RecoveryAction } from '../recovery/recovery-action.ts';
import type { EventOf, TurnEvent } from './event.ts';

export function announcesRequest(event: TurnEvent): boolean {
  switch (event.type) {
    case 'step':
    case 'retry':
    case 'model-switch':
      return true;
    case 'recovery':
      return sendsAgain(event);
    case 'turn-resumed':
      return event.sendsAgain;
    default:
      return false;
  }
}

/** Taken: a request is on its way that they announce themselves, or none. */
const SILENT_RUNGS: readonly RecoveryAction[] = [
  'surface',
  // Part of the same request.
  'repair_history',
  // The switch of the model announces it.
  'larger_model',
];

/** A rung that was taken sends another request. */
export function sendsAgain({ action, skipped }: EventOf<'recovery'>): boolean {
  return skipped === undefined && !SILENT_RUNGS.includes(action);
}
