/** The fold of a log (architecture.md): pure, incremental, and never an invalid request. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenRules } from '../message/invariants.ts';
import { isFromPerson } from '../message/message.ts';
import { generatedSession } from '../testing/arbitrary.ts';
import { isReplacement } from '../view/edit.ts';
import type { TurnEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { agentOf, LEAD, NEW_SESSION } from './state.ts';

const fold = (log: readonly TurnEvent[]) => log.reduce(evolve, NEW_SESSION);
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('evolve', () => {
  it('gives equal states when a log is folded twice', () => {
    fc.assert(
      fc.property(generatedSession, ({ log, state }) => {
        expect(plain(fold(log))).toEqual(plain(state));
        expect(plain(fold(plain(log)))).toEqual(plain(state));
      }),
    );
  });

  it('leaves every earlier state as it was', () => {
    fc.assert(
      fc.property(generatedSession, ({ log }) => {
        const states = [NEW_SESSION];
        const before: string[] = [];
        for (const event of log) {
          const last = states.at(-1) ?? NEW_SESSION;
          before.push(JSON.stringify(last));
          states.push(evolve(last, event));
        }
        expect(states.slice(0, -1).map((state) => JSON.stringify(state))).toEqual(before);
      }),
    );
  });

  it('never lets a request break a rule: pairing, order, ids, first message', () => {
    fc.assert(
      fc.property(generatedSession, ({ decisions }) => {
        for (const { state, action } of decisions) {
          if (action.kind === 'call-model') expect(brokenRules(agentOf(state, LEAD).view)).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('counts what a turn has added, each message once, without what a person wrote', () => {
    fc.assert(
      fc.property(generatedSession, ({ decisions }) => {
        for (const { state } of decisions) {
          const { turn, view } = agentOf(state, LEAD);
          // A compaction takes messages out of the view that the turn has added all the same.
          const wasCompacted = [...view].some((message) => isReplacement(message) || message.cut === true);
          if (turn.phase === 'resting' || wasCompacted) continue;
          const own = view
            .toArray()
            .filter((message) => message.turnIndex === turn.turnIndex && message.role !== 'system')
            .filter((message) => !isFromPerson(message));
          expect(turn.spentTokens).toBe(own.reduce((sum, message) => sum + message.tokens, 0));
        }
      }),
    );
  });
});
