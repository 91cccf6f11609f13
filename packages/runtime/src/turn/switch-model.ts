/** Another model for the rest of the turn: told, and asked at the next pass. */
import type { Action, NewEvent, RunningTurn } from '@astroresearch/core';
import { stampOf } from './stamp.ts';
import type { TurnParts } from './turn-parts.ts';

type SwitchModel = Extract<Action, { kind: 'switch-model' }>;

export function switchModel({ to, reason }: SwitchModel, turn: RunningTurn, parts: TurnParts): NewEvent {
  const stamp = stampOf(turn, parts);
  parts.log.publish({ ...stamp, type: 'text-snapshot', text: '' });
  return { ...stamp, type: 'model-switch', from: turn.model, to, reason };
}
