/** A trajectory gives a turn's requests again, and can be replayed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactedSession } from '../testing/arbitrary.ts';
import { estimateTokens } from '../tokens/estimate.ts';
import { announcesRequest } from '../turn/request-event.ts';
import { foldView } from '../view/view.ts';
import { textHash } from '../watch/text-hash.ts';
import { parseTrajectory } from './trajectory.ts';
import { turnTrajectory } from './turn-trajectory.ts';

describe('turnTrajectory', () => {
  it('holds every request of its turn, and messages and edits that give the last view again', () => {
    fc.assert(
      fc.property(compactedSession, ({ log, state }) => {
        const found = turnTrajectory(log, state.turnCount);
        const steps = log.filter((event) => event.turnId === `turn-${state.turnCount}`);
        const calls = steps.filter(announcesRequest);
        expect(found?.requests).toHaveLength(calls.length);
        const upTo = turnTrajectory(log, state.turnCount - 1);
        expect(found?.messages.length).toBeGreaterThanOrEqual(upTo?.messages.length ?? 0);
      }),
    );
  });

  it('can be folded to the request that it names', () => {
    fc.assert(
      fc.property(compactedSession, ({ log }) => {
        const first = turnTrajectory(log, 1);
        const request = first?.requests[0];
        if (first === null || request === undefined) return;
        const view = foldView(first.messages.slice(0, request.messages), []);
        expect(textHash(JSON.stringify(view.toArray()))).toBe(request.hash);
      }),
    );
  });

  it('is read again as a recording, with what the engine wrote still known as such', () => {
    fc.assert(
      fc.property(compactedSession, ({ log }) => {
        const found = turnTrajectory(log, 1);
        const read = parseTrajectory(JSON.stringify(found), estimateTokens);
        if (read.kind !== 'parsed') expect.fail(read.reason);
        expect(read.messages.map(({ parts }) => parts)).toEqual(found?.messages.map(({ parts }) => parts));
        const kinds = (messages: readonly object[]) =>
          messages.map((message) => ('kind' in message ? message.kind : null));
        expect(kinds(read.messages)).toEqual(kinds(found?.messages ?? []));
      }),
    );
  });

  it('is nothing for a turn that was not', () => {
    expect(turnTrajectory([], 1)).toBeNull();
  });
});
