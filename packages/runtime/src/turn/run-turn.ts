/** The main loop: fold, decide, perform, append (architecture.md, One turn). Everything else is in a named file. */
import { type AgentState, agentOf, type DoneStatus, decide } from '@astroresearch/core';
import { perform } from './perform.ts';
import type { TurnParts } from './turn-parts.ts';

/** `suspended`: this process may not or should not go on; the log says all that the next one needs. */
export type TurnExit = DoneStatus | 'suspended';

/**
 * Drives the running turn of `parts.agentName` to its end and says how it ended. The state that is decided on is
 * always the one folded from the log, so whatever others append (a cancel, a rename) is seen at the next pass.
 * Throws only when the log cannot be written.
 */
export async function runTurn(parts: TurnParts): Promise<TurnExit> {
  for (;;) {
    const agent = agentOf(parts.log.state, parts.agentName);
    if (parts.leaving.aborted && !isCancelled(agent)) return 'suspended';
    const action = decide(agent, parts.settings);
    for await (const events of perform(action, agent, parts)) {
      // What was cut short by leaving is no outcome: it stays open, and whoever goes on deals with it.
      if (parts.leaving.aborted && parts.signal.aborted && !isCancelled(agent)) return 'suspended';
      await parts.log.append(events);
    }
    if (action.kind === 'finish') return action.status;
    if (action.kind === 'rest') throw new Error(`no turn of ${parts.agentName} is running`);
  }
}

function isCancelled({ turn }: AgentState): boolean {
  return turn.phase === 'running' && turn.cancelRequested;
}
