/** The choke point: what goes through, and what never does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { History } from '../message/history.ts';
import { brokenRules } from '../message/invariants.ts';
import { type Message, messageId } from '../message/message.ts';
import { compactedSession } from '../testing/arbitrary.ts';
import { dirtyHistory } from '../testing/dirty-history.ts';
import { agentOf, LEAD } from '../turn/state.ts';
import { RequestCheck } from './request-check.ts';

const TEXTS = { missingResult: 'none', opening: 'begins' };
const newCheck = () => new RequestCheck((text) => text.length);

describe('toRequest', () => {
  it('lets every request of a session through as it is, over compactions too', () => {
    fc.assert(
      fc.property(compactedSession, ({ decisions }) => {
        const check = newCheck();
        for (const { state, action } of decisions) {
          if (action.kind !== 'call-model') continue;
          const { view } = agentOf(state, LEAD);
          const { messages, breaches } = check.toRequest(view, TEXTS);
          expect(breaches).toEqual([]);
          expect(messages).toBe(view);
        }
      }),
    );
  });

  it('finds what checking the whole would find, however the view grew, shrank or changed', () => {
    fc.assert(
      fc.property(fc.array(dirtyHistory, { maxLength: 4 }), (pieces) => {
        const check = newCheck();
        let view: Message[] = [];
        pieces.forEach((piece, nth) => {
          // Every other time the view begins anew, as after a compaction.
          const kept = nth % 2 === 0 ? view : view.slice(0, view.length >> 1);
          view = [
            ...kept,
            ...piece.map((message, at) => ({ ...message, id: messageId(kept.length + at + 1) })),
          ];
          expect(check.toRequest(History.of(view), TEXTS).breaches).toEqual(brokenRules(view));
        });
      }),
    );
  });

  it('never lets out what a provider refuses', () => {
    fc.assert(
      fc.property(dirtyHistory, (dirty) => {
        expect(brokenRules(newCheck().toRequest(History.of(dirty), TEXTS).messages)).toEqual([]);
      }),
    );
  });
});
