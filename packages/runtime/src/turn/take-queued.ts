/** Performs the entry of messages that a person wrote while the turn ran: in their order, together. */
import type { Action, NewEvent, RunningTurn } from '@astroresearch/core';
import { userMessage } from './new-message.ts';
import { stampOf } from './stamp.ts';
import type { TurnParts } from './turn-parts.ts';

type TakeQueued = Extract<Action, { kind: 'take-queued' }>;

export function takeQueued({ texts }: TakeQueued, turn: RunningTurn, parts: TurnParts): readonly NewEvent[] {
  const stamp = stampOf(turn, parts);
  return [
    ...texts.map((text) => ({ ...stamp, type: 'message' as const, message: userMessage(parts, turn, text) })),
    { ...stamp, type: 'queue-taken', count: texts.length },
  ];
}
