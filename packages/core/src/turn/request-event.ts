/** Which events say that a request is sent: the number of the newest request is how many there have been. */
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

/** A rung that was taken sends another request. A history that is repaired on its way out is part of the same one. */
export function sendsAgain({ action, skipped }: EventOf<'recovery'>): boolean {
  return skipped === undefined && action !== 'surface' && action !== 'repair_history';
}
