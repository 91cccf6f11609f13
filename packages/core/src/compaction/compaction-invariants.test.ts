/** The invariants of a single compaction (context.md 5), each a property over generated sessions. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { brokenRules } from '../message/invariants.ts';
import {
  coverage,
  isFromPerson,
  type Message,
  type MessageId,
  ordinalOf,
  textOf,
} from '../message/message.ts';
import {
  compactedSession,
  type GeneratedCompaction,
  type GeneratedSession,
  PREPARED_MARK,
} from '../testing/arbitrary.ts';
import { describeInvariants } from '../testing/invariants.contract.ts';
import { isReplacement } from '../view/edit.ts';
import { contains } from '../view/view.ts';
import { sizeOf } from './limits.ts';
import { hasSignedReasoning, pinsOf } from './pins.ts';

const forEach =
  (check: (generated: GeneratedCompaction) => void) =>
  ({ compactions }: GeneratedSession) =>
    compactions.forEach(check);

it('the sessions that follow are compacted often: a property over no compaction would prove nothing', () => {
  const sessions = fc.sample(compactedSession, { numRuns: 40, seed: 1 });
  const compactions = sessions.flatMap((session) => session.compactions);
  expect(compactions.length).toBeGreaterThan(80);
  expect(
    new Set(compactions.flatMap(({ compaction }) => compaction.edits.map(({ layer }) => layer))).size,
  ).toBe(5);
  expect(new Set(compactions.map(({ compaction }) => compaction.outcome)).size).toBeGreaterThan(2);
  const ahead = compactions.filter(({ compaction }) =>
    compaction.edits.some(
      (edit) => edit.kind === 'replace' && textOf(edit.replacement).includes(PREPARED_MARK),
    ),
  );
  expect(ahead.length).toBeGreaterThan(10);
});

describeInvariants('a compaction', compactedSession, {
  'pairing: a valid history stays valid': forEach(({ compaction }) => {
    const broken = brokenRules(compaction.messages);
    if (broken.length > 0) expect(broken).toEqual([]);
  }),

  'pinned content present: system, first and newest words of a person, the newest step, untouched': forEach(
    ({ before, compaction, limits }) => {
      const kept = new Map(compaction.messages.map((message) => [message.id, message]));
      // The one exception: a session must be able to go on after a message that the model cannot take.
      const overWindow = sizeOf(before, limits) > limits.windowTokens;
      for (const message of mustStay(before, overWindow)) {
        if (kept.get(message.id) !== message) expect(kept.get(message.id)).toEqual(message);
      }
    },
  ),

  'coverage: every message is in the view, or under exactly one replacement that names it': forEach(
    ({ before, compaction }) => {
      const ranges = compaction.messages.map(coverage);
      for (const message of before) {
        const own = coverage(message);
        const over = ranges.filter(
          (range) => ordinalOf(range.from) <= ordinalOf(own.from) && ordinalOf(own.to) <= ordinalOf(range.to),
        );
        if (over.length !== 1) expect.fail(`${message.id} stands under ${over.length} messages of the view`);
      }
    },
  ),

  'shrinks or no-op: tokens never grow': forEach(({ before, compaction }) => {
    const identity = tokensOf(compaction.appended);
    expect(compaction.tokensAfter - identity).toBeLessThanOrEqual(compaction.tokensBefore);
    if (compaction.edits.length === 0) expect(compaction.messages).toEqual(before);
  }),

  'honest count: what it says it weighs is what its messages weigh': forEach(
    ({ before, compaction, limits }) => {
      expect(compaction.tokensBefore).toBe(sizeOf(before, limits));
      expect(compaction.tokensAfter).toBe(sizeOf(compaction.messages, limits));
    },
  ),

  'success is a fall in tokens, by enough or to the target: growth never is one': forEach(
    ({ compaction: { tokensBefore, tokensAfter, success }, limits }) => {
      const freed = tokensBefore - tokensAfter;
      if (success && freed < Math.max(500, tokensBefore * 0.05)) {
        expect(freed).toBeGreaterThan(0);
        expect(tokensAfter).toBeLessThanOrEqual(limits.targetTokens);
      }
    },
  ),

  'fits or typed refusal: over the hard limit only where nothing is left to cut, and it says so': forEach(
    ({ compaction, limits }) => {
      const { outcome, tokensAfter } = compaction;
      if (tokensAfter > limits.windowTokens) expect(outcome).toBe('cannot_fit');
      if (outcome === 'fits') expect(tokensAfter).toBeLessThanOrEqual(limits.targetTokens);
      if (tokensAfter > limits.hardTokens) {
        const pins = pinsOf(compaction.messages).messages;
        const large = compaction.messages.filter(
          (message) =>
            !pins.has(message.id) &&
            !isReplacement(message) &&
            !hasSignedReasoning(message) &&
            textOf(message).length > 1_000,
        );
        if (large.length > 0) expect.fail(`over the hard limit with ${large[0]?.id} of full length`);
      }
    },
  ),

  'one snip: only over the limit of messages, placeholders not counted, and only where a message goes':
    forEach(({ before, compaction, limits }) => {
      const snips = compaction.edits.flatMap((edit) => (edit.layer === 'snip' ? [edit] : []));
      const plain = before.filter((message) => !isReplacement(message));
      if (snips.length > 0) expect(plain.length).toBeGreaterThan(limits.maxMessages);
      for (const edit of snips) {
        if (edit.kind !== 'replace') continue;
        const { covers } = edit.replacement;
        if (!plain.some((message) => contains(covers, coverage(message))))
          expect.fail(`${covers.from}–${covers.to} was replaced for nothing`);
      }
    }),

  'order: what is left stands in the order in which it was stored': forEach(({ compaction }) => {
    let last = 0;
    for (const message of compaction.messages) {
      const place = ordinalOf(coverage(message).from);
      if (place <= last) expect.fail(`${message.id} stands behind m${last}`);
      last = place;
    }
  }),

  'a person’s own words are in the view verbatim, within their share': forEach(({ before, compaction }) => {
    const all = compaction.messages.map(textOf).join('\n');
    for (const message of before.filter(isFromPerson).slice(-2)) {
      const words = textOf(message);
      if (words.length < 100 && !all.includes(words)) expect(all).toContain(words);
    }
  }),

  'an honest ledger: it lists what stood in messages that the view does not show whole, and nothing else':
    forEach(({ compaction }) => {
      const hidden = compaction.messages.filter((message) => isReplacement(message) || message.cut === true);
      for (const block of compaction.messages.filter(isReplacement)) {
        for (const [, ref] of (block.parts[1]?.text ?? '').matchAll(/^(m\d+):/gm)) {
          const id = ref as Message['id'];
          if (!hidden.some((message) => contains(coverage(message), { from: id, to: id })))
            expect.fail(`${ref} is shown whole, or unknown`);
        }
      }
    }),

  'one ledger, in the newest block, of facts that the view shows nowhere else': forEach(({ compaction }) => {
    const blocks = compaction.messages.filter(isReplacement);
    if (compaction.edits.length > 0 && compaction.tokensAfter < compaction.tokensBefore)
      expect(blocks.slice(0, -1).filter((block) => block.parts.length > 1)).toEqual([]);
  }),

  'written ahead: such a summary stands for the stretch that it tells of, from its first message on': forEach(
    ({ compaction }) => {
      if (compaction.summary !== 'used') return;
      const made = compaction.edits.flatMap((edit) =>
        edit.kind === 'replace' && edit.layer === 'auto' ? [edit.replacement] : [],
      );
      // The new narrative stands with the newest of what is replaced; older blocks hand on earlier ones.
      const told = made
        .toSorted((one, other) => ordinalOf(one.covers.to) - ordinalOf(other.covers.to))
        .at(-1);
      if (!told?.digest.narrative?.startsWith(PREPARED_MARK)) return;
      const [, from, to] = / (m\d+)-(m\d+)/.exec(told?.digest.narrative ?? '') ?? [];
      if (from === undefined || to === undefined) return;
      expect(made.map(({ covers }) => covers.from)).toContain(from);
      expect(ordinalOf(told.covers.to)).toBeGreaterThanOrEqual(ordinalOf(to as MessageId));
    },
  ),
});

/** The pins as the specification lists them; written apart from the code that keeps them. */
function mustStay(messages: readonly Message[], overWindow: boolean): readonly Message[] {
  const people = messages.filter(isFromPerson);
  const newestStep = messages.findLastIndex((message) => message.role === 'assistant');
  const must = [
    ...messages.filter((message) => message.role === 'system'),
    ...people.slice(0, 1),
    ...people.slice(-1),
    ...(newestStep === -1 ? [] : messages.slice(newestStep)),
  ];
  return overWindow ? must.filter((message) => !isFromPerson(message) || message === people.at(-1)) : must;
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + message.tokens, 0);
}
