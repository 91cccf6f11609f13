/** What a repair promises, for any broken history (context.md 5, Safe cut points). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactedSession } from '../testing/arbitrary.ts';
import { dirtyHistory } from '../testing/dirty-history.ts';
import { agentOf, LEAD } from '../turn/state.ts';
import { brokenRules } from './invariants.ts';
import { isFromPerson, type Message, messageId, textOf, toolCallsOf } from './message.ts';
import { repairHistory } from './repair.ts';

const TEXTS = { missingResult: 'interrupted: no result', opening: 'The history begins here.' };
const repair = (messages: Iterable<Message>) => repairHistory(messages, TEXTS, () => 7);

describe('a repaired history', () => {
  it('pairing: breaks no rule, whatever it was made of', () => {
    fc.assert(
      fc.property(dirtyHistory, (dirty) => {
        const { messages } = repair(dirty);
        expect(brokenRules(messages)).toEqual([]);
        for (const call of messages.flatMap(toolCallsOf))
          expect(JSON.parse(call.arguments)).toBeTypeOf('object');
      }),
    );
  });

  it('keeps every word: of a person, of the model and of each tool, in the history or set aside', () => {
    fc.assert(
      fc.property(dirtyHistory, (dirty) => {
        const { messages, repairs } = repair(dirty);
        const aside = repairs.flatMap((done) => (done.kind === 'set-aside' ? [done.message] : []));
        const left = [...messages, ...aside].map((message) => textOf(message).toWellFormed());
        for (const message of dirty) {
          const at = left.indexOf(textOf(message).toWellFormed());
          if (at === -1) expect.fail(`${message.id} is gone`);
          left.splice(at, 1);
        }
        expect(messages.filter(isFromPerson)).toHaveLength(dirty.filter(isFromPerson).length);
      }),
    );
  });

  it('is repaired once: the second time nothing is left to do', () => {
    fc.assert(
      fc.property(dirtyHistory, (dirty) => {
        const once = repair(dirty).messages;
        const twice = repair(once);
        expect(twice.repairs).toEqual([]);
        expect(twice.messages).toEqual(once);
      }),
    );
  });

  it('says of every change what it was', () => {
    fc.assert(
      fc.property(dirtyHistory, (dirty) => {
        const { messages, repairs } = repair(dirty);
        const same =
          messages.length === dirty.length && messages.every((message, at) => message === dirty[at]);
        expect(repairs.length === 0).toBe(same);
      }),
    );
  });

  it('is the history itself where that was valid', () => {
    fc.assert(
      fc.property(compactedSession, ({ decisions }) => {
        for (const { state, action } of decisions.slice(-3)) {
          if (action.kind !== 'call-model') continue;
          const valid = agentOf(state, LEAD)
            .view.toArray()
            .map((message, at) => ({ ...message, id: messageId(at + 1) }));
          expect(repair(valid)).toEqual({ messages: valid, repairs: [] });
        }
      }),
    );
  });
});
