/** One exhaustive switch from an action to the file that does it. What happened comes back as events. */
import type { Action, AgentState, NewEvent } from '@astroresearch/core';
import { callModel } from './call-model.ts';
import { compactContext } from './compact.ts';
import { finishTurn } from './finish-turn.ts';
import { recover } from './recover.ts';
import { remind } from './remind.ts';
import { runTools } from './run-tools.ts';
import { switchModel } from './switch-model.ts';
import { takeQueued } from './take-queued.ts';
import type { TurnParts } from './turn-parts.ts';
import { waitBeforeRetry } from './wait-before-retry.ts';

/** Each yielded list is stored together, before the next is asked for. */
export async function* perform(
  action: Action,
  agent: AgentState,
  parts: TurnParts,
): AsyncGenerator<readonly NewEvent[]> {
  const { turn } = agent;
  if (turn.phase === 'resting') return;
  switch (action.kind) {
    case 'call-model':
      yield* callModel(action, agent, turn, parts);
      break;
    case 'remind':
      yield remind(action, turn, parts);
      break;
    case 'compact':
      yield* compactContext(action, agent, turn, parts);
      break;
    case 'recover':
      yield* recover(action, agent, turn, parts);
      break;
    case 'switch-model':
      yield [switchModel(action, turn, parts)];
      break;
    case 'wait':
      yield* waitBeforeRetry(action, turn, parts);
      break;
    case 'run-tools':
      yield* runTools(action.calls, turn, parts);
      break;
    case 'take-queued':
      yield takeQueued(action, turn, parts);
      break;
    case 'finish':
      yield finishTurn(action, turn, parts);
      break;
    case 'rest':
      break;
    default:
      action satisfies never;
  }
}
