/** Performs one rung of the ladder: what it changes and the event that tells of it, in one append. */
import type { Action, AgentState, NewEvent, RunningTurn } from '@astroresearch/core';
import { compactForRecovery } from './compact.ts';
import { quarantine } from './quarantine.ts';
import { stampOf } from './stamp.ts';
import { switchModel } from './switch-model.ts';
import type { TurnParts } from './turn-parts.ts';

type Recover = Extract<Action, { kind: 'recover' }>;

export async function* recover(
  { failure, rung }: Recover,
  agent: AgentState,
  turn: RunningTurn,
  parts: TurnParts,
): AsyncGenerator<readonly NewEvent[]> {
  const told = (skipped: string | null): NewEvent => ({
    ...stampOf(turn, parts),
    type: 'recovery',
    kind: failure.kind,
    action: rung.action,
    ...(skipped === null ? {} : { skipped }),
    ...(rung.maxOutputTokens === undefined ? {} : { maxOutputTokens: rung.maxOutputTokens }),
  });
  // What was streamed of the refused try is void: readers start the message again, from nothing.
  parts.log.publish({ ...stampOf(turn, parts), type: 'text-snapshot', text: '' });
  if (rung.skipped !== null) {
    yield [told(rung.skipped)];
    return;
  }
  switch (rung.action) {
    case 'aggressive_compact':
    case 'reactive_compact': {
      const layers =
        rung.action === 'aggressive_compact' ? (['snip', 'aggressive_micro'] as const) : (['auto'] as const);
      for await (const events of compactForRecovery(layers, agent, turn, parts)) {
        const smaller = events.some((event) => event.type === 'compaction' && event.edits.length > 0);
        yield [...events, told(smaller ? null : 'nothing is left to make smaller')];
      }
      break;
    }
    case 'larger_model':
      if (rung.model === undefined) break;
      yield [
        told(null),
        switchModel({ kind: 'switch-model', to: rung.model, reason: failure.kind }, turn, parts),
      ];
      break;
    case 'quarantine':
      yield [...quarantine(agent, turn, parts), told(null)];
      break;
    case 'shrink_output':
    case 'escalate_tokens':
    case 'multi_turn':
    case 'repair_history':
    case 'surface':
      yield [told(null)];
      break;
    default:
      rung.action satisfies never;
  }
}
