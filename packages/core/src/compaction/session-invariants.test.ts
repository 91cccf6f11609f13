/** The invariants of a session that is compacted again and again (context.md 5), each a property over generated logs. */
import { expect } from 'vitest';
import { brokenRules } from '../message/invariants.ts';
import type { Message } from '../message/message.ts';
import { compactedSession } from '../testing/arbitrary.ts';
import { describeInvariants } from '../testing/invariants.contract.ts';
import { evolve } from '../turn/evolve.ts';
import { agentOf, LEAD, NEW_SESSION } from '../turn/state.ts';

describeInvariants('a session that is compacted again and again', compactedSession, {
  'determinism: the log, folded anywhere, gives exactly the view that the compaction gave': ({
    log,
    compactions,
  }) => {
    const stored = JSON.parse(JSON.stringify(log)) as typeof log;
    let state = NEW_SESSION;
    let nth = 0;
    stored.forEach((event, index) => {
      state = evolve(state, event);
      if (event.type !== 'compaction') return;
      const { messages, appended } = compactions[nth++]?.compaction ?? { messages: [], appended: [] };
      const behind = stored.slice(index + 1, index + 1 + appended.length).reduce(evolve, state);
      const folded = agentOf(behind, LEAD).view.toArray();
      messages.forEach((message, place) => {
        if (JSON.stringify(folded[place]) !== JSON.stringify(message)) expect(folded[place]).toEqual(message);
      });
      expect(folded).toHaveLength(messages.length);
    });
    expect(nth).toBe(compactions.length);
  },

  'pairing: every request that is sent is valid': ({ decisions }) => {
    for (const { state, action } of decisions) {
      if (action.kind !== 'call-model') continue;
      const broken = brokenRules(agentOf(state, LEAD).view);
      if (broken.length > 0) expect(broken).toEqual([]);
    }
  },

  'prefix stability: between two compactions each request begins with the whole one before it': ({
    decisions,
  }) => {
    let before: readonly Message[] | null = null;
    for (const { state, action } of decisions) {
      if (action.kind === 'compact' || action.kind === 'recover') before = null;
      if (action.kind !== 'call-model') continue;
      const view = agentOf(state, LEAD).view.toArray();
      before?.forEach((message, index) => {
        if (view[index] !== message) expect(view[index]).toEqual(message);
      });
      before = view;
    }
  },

  'termination: never twice before one call, and never without growth': ({ decisions, log }) => {
    decisions.slice(1).forEach(({ action }, index) => {
      if (action.kind === 'compact' && decisions[index]?.action.kind === 'compact')
        expect.fail('compacted twice before one call');
    });
    const compactions = log.flatMap((event) => (event.type === 'compaction' ? [event] : []));
    compactions.slice(1).forEach((event, index) => {
      const { tokensAfter = 0 } = compactions[index] ?? {};
      if (event.trigger === 'auto') expect(event.tokensBefore).toBeGreaterThan(tokensAfter);
    });
  },
});
