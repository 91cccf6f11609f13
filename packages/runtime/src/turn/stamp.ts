/** The envelope of a turn's events. */
import type { RunningTurn } from '@astroresearch/core';
import type { EventStamp, TurnParts } from './turn-parts.ts';

export function stampOf(
  turn: Pick<RunningTurn, 'turnId' | 'step'>,
  parts: Pick<TurnParts, 'agentName' | 'clock'>,
): EventStamp {
  return { turnId: turn.turnId, agentName: parts.agentName, step: turn.step, atMs: parts.clock.nowMs() };
}
