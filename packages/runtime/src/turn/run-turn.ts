/** The main loop: fold, decide, perform, append (architecture.md, One turn). Everything else is in a named file. */
import { agentOf, type DoneStatus, decide } from '@astroresearch/core';
import { perform } from './perform.ts';
import type { TurnParts } from './turn-parts.ts';

/**
 * Drives the running turn of `parts.agentName` to its end and says how it ended. The state that is decided on is
 * always the one folded from the log, so whatever others append (a cancel, a rename) is seen at the next pass.
 * Throws only when the log cannot be written.
 */
export async function runTurn(parts: TurnParts): Promise<DoneStatus> {
  for (;;) {
    const agent = agentOf(parts.log.state, parts.agentName);
    const action = decide(agent, parts.settings);
    for await (const events of perform(action, agent, parts)) {
      await parts.log.append(events);
    }
    if (action.kind === 'finish') return action.status;
    if (action.kind === 'rest') throw new Error(`no turn of ${parts.agentName} is running`);
  }
}
