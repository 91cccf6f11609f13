/** A summary written ahead is used for what it tells of, and for nothing else (context.md 5). */
import { describe, expect, it } from 'vitest';
import { History } from '../message/history.ts';
import { type Message, messageId, textOf } from '../message/message.ts';
import { estimateTokens } from '../tokens/estimate.ts';
import { applyEdits } from '../view/view.ts';
import { type CompactionReply, compress } from './compress.ts';
import type { CompactionLimits } from './limits.ts';
import { type PreparedSummary, summaryRange } from './prepared.ts';

const LIMITS: CompactionLimits = {
  triggerTokens: 6_000,
  targetTokens: 3_000,
  targetChars: null,
  hardTokens: 8_000,
  windowTokens: 10_000,
  roomTokens: 6_000,
  maxMessages: 500,
  toolTokens: 0,
  scale: 1,
};

/** A question and steps of the assistant, each a paragraph of its own. */
function view(steps: number): readonly Message[] {
  return [
    message(1, 'system', 'You are a test.'),
    message(2, 'user', 'What is known of NGC 1068?'),
    ...Array.from({ length: steps }, (_, nth) =>
      message(
        nth + 3,
        'assistant',
        `Finding ${nth}: data/f${nth}.fits was read. ${'It shows a bright core. '.repeat(40)}`,
      ),
    ),
  ];
}

function message(nth: number, role: 'system' | 'user' | 'assistant', text: string): Message {
  const base = { id: messageId(nth), agentName: 'lead', turnIndex: 1, step: nth, createdAtMs: 0 };
  const parts = [{ type: 'text' as const, text }];
  const tokens = estimateTokens(text);
  return role === 'assistant'
    ? { ...base, role, parts, tokens, ending: 'stop' }
    : { ...base, role, parts, tokens };
}

function start(messages: readonly Message[], prepared: PreparedSummary | null) {
  let next = 1_000;
  return compress(
    messages,
    {
      limits: LIMITS,
      language: 'en',
      tasks: [],
      count: estimateTokens,
      nextId: () => messageId(next++),
      agentName: 'lead',
      turnIndex: 1,
      step: 1,
      nowMs: 0,
    },
    { prepared },
  );
}

/** What a compaction of this view would have told of. */
function toldOf(messages: readonly Message[]): readonly Message[] {
  const need = start(messages, null).next().value;
  if (!('kind' in need) || need.kind !== 'summary') throw new Error('no summary is wanted');
  return need.messages;
}

function preparedFor(messages: readonly Message[], reply: PreparedSummary['reply']): PreparedSummary {
  const range = summaryRange(messages, toldOf(messages));
  if (range === null) throw new Error('the range stands in the view');
  return { range, reply };
}

function run(messages: readonly Message[], prepared: PreparedSummary | null) {
  const asked: string[] = [];
  const steps = start(messages, prepared);
  let next = steps.next();
  while (next.done !== true) {
    asked.push(next.value.kind);
    const reply: CompactionReply = { kind: 'narrative', text: 'ASKED' };
    next = steps.next(reply);
  }
  const block = next.value.messages.find((each) => each.role === 'user' && each.kind === 'summary');
  return { asked, compaction: next.value, block: block === undefined ? '' : textOf(block) };
}

const NARRATIVE = { kind: 'narrative', text: 'WRITTEN AHEAD' } as const;

describe('a summary written ahead', () => {
  it('is taken without asking, with an extract of what came after it, and the target is reached', () => {
    const prepared = preparedFor(view(20), NARRATIVE);
    const { asked, block, compaction } = run(view(26), prepared);
    expect(asked).toEqual([]);
    expect(block).toContain('WRITTEN AHEAD');
    expect(block).not.toContain('ASKED');
    expect(compaction.summary).toBe('used');
    expect(compaction.tokensAfter).toBeLessThanOrEqual(LIMITS.targetTokens);
    const behind = toldOf(view(26)).slice(toldOf(view(20)).length);
    expect(behind.length).toBeGreaterThan(2);
    expect(block).toMatch(new RegExp(`\\[${behind[0]?.id}\\]|${behind.map(({ id }) => id).join('|')}`));
  });

  it('counts as the attempt where it was refused: nobody is asked twice', () => {
    const prepared = preparedFor(view(20), { kind: 'refused', reason: 'overloaded: busy' });
    const { asked, compaction, block } = run(view(26), prepared);
    expect(asked).toEqual([]);
    expect(compaction).toMatchObject({ summary: 'refused', summaryFault: 'overloaded: busy', success: true });
    expect(block).toContain('Finding');
  });

  it('is thrown away where a message that it tells of was set aside since', () => {
    const before = view(20);
    const prepared = preparedFor(before, NARRATIVE);
    const aside = applyEdits(History.of(view(26)), [
      {
        kind: 'rewrite',
        layer: 'project',
        message: messageId(5),
        parts: [{ type: 'text', text: 'set aside' }],
        tokens: 2,
        reason: 'quarantine',
      },
    ]);
    const { asked, block } = run([...aside], prepared);
    expect(asked).toContain('summary');
    expect(block).toContain('ASKED');
    expect(block).not.toContain('WRITTEN AHEAD');
  });

  it('is thrown away where another stretch is to be replaced', () => {
    const prepared = preparedFor(view(20), NARRATIVE);
    const compacted = run(view(26), null).compaction.messages;
    expect(run([...compacted, ...view(60).slice(30)], prepared).asked).toEqual(['summary']);
  });
});
