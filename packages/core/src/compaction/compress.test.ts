/** The invariants of the context engine (context.md 5), each a property over generated histories. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenRules } from '../message/invariants.ts';
import { coverage, isFromPerson, type Message, ordinalOf, textOf } from '../message/message.ts';
import { compactedSession, type GeneratedSession } from '../testing/arbitrary.ts';
import { evolve } from '../turn/evolve.ts';
import { agentOf, LEAD, NEW_SESSION } from '../turn/state.ts';
import { pinsOf } from './pins.ts';

const RUNS = 1_000;

function forEachCompaction(
  check: (before: readonly Message[], after: GeneratedSession['compactions'][number]['compaction']) => void,
) {
  let seen = 0;
  fc.assert(
    fc.property(compactedSession, ({ compactions }) => {
      for (const { before, compaction } of compactions) {
        seen += 1;
        check(before, compaction);
      }
    }),
    { numRuns: RUNS },
  );
  // A property over no compaction at all would prove nothing.
  expect(seen).toBeGreaterThan(RUNS);
}

describe('compress', () => {
  it('pairing: a valid history stays valid', () => {
    forEachCompaction((_, { messages }) => expect(brokenRules(messages)).toEqual([]));
  });

  it('pinned content present: system, first and newest words of a person, the newest step, untouched', () => {
    forEachCompaction((before, { messages }) => {
      const pins = pinsOf(before);
      const pinned = before.filter((message) => pins.messages.has(message.id));
      const kept = new Map(messages.map((message) => [message.id, message]));
      for (const message of pinned) {
        if (messages.some((other) => other.id === message.id)) expect(kept.get(message.id)).toEqual(message);
        else expect.unreachable(`pinned ${message.id} is gone`);
      }
    });
  });

  it('coverage: every message is in the view, or under exactly one replacement that names it', () => {
    forEachCompaction((before, { messages }) => {
      for (const message of before) {
        const own = coverage(message);
        const over = messages.filter((other) => {
          const range = coverage(other);
          return ordinalOf(range.from) <= ordinalOf(own.from) && ordinalOf(own.to) <= ordinalOf(range.to);
        });
        expect(over).toHaveLength(1);
      }
    });
  });

  it('shrinks or no-op: tokens never grow', () => {
    forEachCompaction((before, { tokensBefore, tokensAfter, edits, messages, appended }) => {
      const identity = appended.reduce((sum, message) => sum + message.tokens, 0);
      expect(tokensAfter - identity).toBeLessThanOrEqual(tokensBefore);
      if (edits.length === 0) expect(messages).toEqual(before);
    });
  });

  it('order: what is left stands in the order in which it was stored', () => {
    forEachCompaction((_, { messages }) => {
      const places = messages.map((message) => ordinalOf(coverage(message).from));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    });
  });

  it('a person’s own words are in the view verbatim, within their share', () => {
    forEachCompaction((before, { messages }) => {
      const all = messages.map(textOf).join('\n');
      const newest = before.filter(isFromPerson).slice(-2);
      for (const message of newest) if (textOf(message).length < 100) expect(all).toContain(textOf(message));
    });
  });
});

describe('a session that is compacted again and again', () => {
  it('determinism: the log, folded anywhere, gives exactly the view that the compaction gave', () => {
    fc.assert(
      fc.property(compactedSession, ({ log, compactions }) => {
        const stored = JSON.parse(JSON.stringify(log)) as typeof log;
        let state = NEW_SESSION;
        let nth = 0;
        stored.forEach((event, index) => {
          state = evolve(state, event);
          if (event.type !== 'compaction') return;
          const { messages, appended } = compactions[nth++]?.compaction ?? { messages: [], appended: [] };
          const behind = stored.slice(index + 1, index + 1 + appended.length).reduce(evolve, state);
          expect(agentOf(behind, LEAD).view.toArray()).toEqual(JSON.parse(JSON.stringify(messages)));
        });
        expect(nth).toBe(compactions.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('pairing: every request that is sent is valid', () => {
    fc.assert(
      fc.property(compactedSession, ({ decisions }) => {
        for (const { state, action } of decisions) {
          if (action.kind === 'call-model') expect(brokenRules(agentOf(state, LEAD).view)).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('prefix stability: between two compactions each request begins with the whole one before it', () => {
    fc.assert(
      fc.property(compactedSession, ({ decisions }) => {
        let before: readonly Message[] | null = null;
        for (const { state, action } of decisions) {
          if (action.kind === 'compact') before = null;
          if (action.kind !== 'call-model') continue;
          const view = agentOf(state, LEAD).view.toArray();
          if (before !== null) expect(view.slice(0, before.length)).toEqual(before);
          before = view;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('termination: never twice before one call, and never without growth', () => {
    fc.assert(
      fc.property(compactedSession, ({ decisions }) => {
        decisions.slice(1).forEach(({ action }, index) => {
          if (action.kind === 'compact') expect(decisions[index]?.action.kind).not.toBe('compact');
        });
      }),
      { numRuns: RUNS },
    );
  });
});
