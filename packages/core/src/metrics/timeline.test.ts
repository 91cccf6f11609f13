/** The timeline's fold: a turn as people see it, live and replayed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireData, WireEvent } from '../turn/wire.ts';
import { foldTimeline } from './timeline.ts';
import type { TimelineItem } from './timeline-item.ts';
import { emptyTimeline, type Timeline } from './timeline-state.ts';

type Fields = Record<string, unknown>;

/** Numbers durable events from 1 on; `transient` gives an event without a number. */
function log() {
  let seq = 0;
  const data = (fields: Fields): WireData => ({
    session_id: 's1',
    turn_id: 't1',
    agent_name: 'lead',
    step: 1,
    ts: '2026-01-02T03:04:05.000Z',
    ...fields,
  });
  return {
    durable: (type: string, fields: Fields = {}): WireEvent => ({ seq: ++seq, type, data: data(fields) }),
    transient: (type: string, text: string, fields: Fields = {}): WireEvent => ({
      seq: null,
      type,
      data: data({ text, ...fields }),
    }),
  };
}

const fold = (events: readonly WireEvent[], from: Timeline = emptyTimeline()) =>
  events.reduce(foldTimeline, from);
const visible = (timeline: Timeline): readonly TimelineItem[] =>
  [...timeline.items].filter((item) => !('state' in item) || item.state !== 'discarded');
const of = <T extends TimelineItem['type']>(timeline: Timeline, type: T) =>
  visible(timeline).filter((item): item is Extract<TimelineItem, { type: T }> => item.type === type);

/** A turn with one tool call and an answer, with and without what streams. */
function turn() {
  const { durable, transient } = log();
  const call = {
    id: 'c1',
    type: 'function',
    function: { name: 'search', arguments: '{"query":"NGC 1068"}' },
  };
  const live = [
    durable('session_created', { title: 'Neutrinos' }),
    durable('session', { title: 'Neutrinos', model: 'm', max_steps: 8 }),
    durable('message', { message_id: 'm1', role: 'system', content: 'You are …', metadata: {} }),
    durable('message', { message_id: 'm2', role: 'user', content: 'Why NGC 1068?', metadata: {} }),
    durable('step', { n: 1, estimated_tokens: 900, spent_tokens: 0 }),
    transient('thought', 'Look it '),
    transient('thought', 'up.'),
    transient('text_delta', 'Let me '),
    transient('text_delta', 'search.'),
    durable('message', {
      message_id: 'm3',
      role: 'assistant',
      content: 'Let me search.',
      thought: 'Look it up.',
      tool_calls: [call],
      metadata: { ending: 'tool-calls' },
    }),
    durable('tool_call', { tool_call_id: 'c1', name: 'search', arguments: { query: 'NGC 1068' } }),
    durable('tool_result', {
      tool_call_id: 'c1',
      name: 'search',
      status: 'ok',
      output_preview: '3 papers',
      ref: 'm4',
      elapsed_ms: 420,
      truncated: false,
    }),
    durable('step', { n: 2, estimated_tokens: 1400, spent_tokens: 950 }),
    transient('text_snapshot', 'A hidden '),
    transient('text_delta', 'corona.'),
    durable('message', {
      message_id: 'm5',
      role: 'assistant',
      content: 'A hidden corona.',
      metadata: { ending: 'stop' },
    }),
    durable('usage', {
      prompt_tokens: 2000,
      completion_tokens: 100,
      cached_tokens: 800,
      spent_tokens: 2100,
      steps: 2,
    }),
    durable('done', { status: 'completed', message_id: 'm5' }),
  ];
  return { live, replayed: live.filter((event) => event.seq !== null) };
}

describe('a whole turn', () => {
  it('shows question, thought, text, tool call with its result, answer and end, in this order', () => {
    const timeline = fold(turn().live);
    expect(visible(timeline).map((item) => item.type)).toEqual([
      'user',
      'thought',
      'answer',
      'tool',
      'answer',
      'turn-end',
    ]);
    expect(of(timeline, 'tool')[0]).toMatchObject({
      name: 'search',
      arguments: { query: 'NGC 1068' },
      status: 'ok',
      preview: '3 papers',
      elapsedMs: 420,
      ref: 'm4',
    });
    expect(of(timeline, 'answer').map(({ text, interim }) => ({ text, interim }))).toEqual([
      { text: 'Let me search.', interim: true },
      { text: 'A hidden corona.', interim: false },
    ]);
    expect(timeline).toMatchObject({ title: 'Neutrinos', running: null, lastSeq: 12 });
    expect(timeline.turn).toMatchObject({ step: 2, maxSteps: 8, contextTokens: 1400, status: 'completed' });
    expect(timeline.usage).toMatchObject({ promptTokens: 2000, cachedTokens: 800, spentTokens: 2100 });
  });

  it('adds up what turns cost, as long as the price of each is known', () => {
    const { durable } = log();
    const told = (fields: object) => durable('usage', { prompt_tokens: 10, steps: 1, ...fields });
    expect(fold([told({ cost_usd: 0.25 }), told({ cost_usd: 0.5 })]).usage.costUsd).toBe(0.75);
    expect(fold([told({ cost_usd: 0.25 }), told({}), told({ cost_usd: 0.5 })]).usage.costUsd).toBeNull();
  });

  it('warns of a request that may have been cut', () => {
    const { durable } = log();
    const notices = of(fold([durable('usage', { suspected_truncation: true, steps: 1 })]), 'notice');
    expect(notices.map(({ notice }) => notice)).toEqual([{ about: 'suspected_truncation' }]);
    expect(of(fold([durable('usage', { steps: 1 })]), 'notice')).toEqual([]);
  });

  it('gives the same rows live and replayed from its log', () => {
    const { live, replayed } = turn();
    expect(visible(fold(live))).toEqual(visible(fold(replayed)));
  });

  it('shows no system message and none that the engine wrote', () => {
    const { durable } = log();
    const timeline = fold([
      durable('message', { role: 'system', content: 'x', metadata: {} }),
      durable('message', { role: 'user', content: 'x', metadata: { kind: 'task_state' } }),
    ]);
    expect(timeline.items.length).toBe(0);
  });

  it('runs from session to done', () => {
    const { durable } = log();
    const running = fold([durable('session', { title: 't' })]);
    expect(running.running).toBe('t1');
    const stopping = fold([durable('cancel_requested')], running);
    expect(stopping.turn?.stopping).toBe(true);
    const done = fold([durable('done', { status: 'cancelled' })], stopping);
    expect(done.running).toBeNull();
    expect(done.turn).toMatchObject({ stopping: false, status: 'cancelled' });
  });
});

describe('streaming', () => {
  it('lets a snapshot replace what was shown', () => {
    const { transient } = log();
    const timeline = fold([
      transient('text_delta', 'abc'),
      transient('text_snapshot', 'abcdef'),
      transient('text_delta', 'g'),
    ]);
    expect(of(timeline, 'answer')).toMatchObject([{ text: 'abcdefg', state: 'streaming' }]);
  });

  it('ends the thinking when the text begins', () => {
    const { transient } = log();
    const timeline = fold([transient('thought', 'hm'), transient('text_delta', 'a')]);
    expect(of(timeline, 'thought')[0]?.state).toBe('finished');
  });

  it('drops what a failed attempt had said, and streams the next attempt behind the notice', () => {
    const { durable, transient } = log();
    const timeline = fold([
      transient('thought', 'hm'),
      transient('text_delta', 'half an ans'),
      durable('attempt_failed', { kind: 'network', message: 'reset' }),
      transient('text_delta', 'whole answer'),
      durable('message', { role: 'assistant', content: 'whole answer', metadata: {} }),
    ]);
    expect(visible(timeline).map((item) => item.type)).toEqual(['notice', 'answer']);
    expect(of(timeline, 'answer')).toMatchObject([{ text: 'whole answer', state: 'finished' }]);
  });

  it('puts a thought that did not stream before the text that did', () => {
    const { durable, transient } = log();
    const timeline = fold([
      transient('text_delta', 'answer'),
      durable('message', { role: 'assistant', content: 'answer', thought: 'because', metadata: {} }),
    ]);
    expect(visible(timeline).map((item) => item.type)).toEqual(['thought', 'answer']);
  });

  it('keeps the streams of two agents apart', () => {
    const { transient } = log();
    const timeline = fold([
      transient('text_delta', 'lead '),
      transient('text_delta', 'sub', { agent_name: 'sub_reader' }),
      transient('text_delta', 'more'),
    ]);
    expect(of(timeline, 'answer').map(({ agentName, text }) => [agentName, text])).toEqual([
      ['lead', 'lead more'],
      ['sub_reader', 'sub'],
    ]);
  });
});

describe('tool calls', () => {
  it('shows a call that was denied before it began, with its arguments', () => {
    const { durable } = log();
    const calls = [{ id: 'c1', type: 'function', function: { name: 'write', arguments: '{"path":"a"}' } }];
    const timeline = fold([
      durable('message', { role: 'assistant', content: '', tool_calls: calls, metadata: {} }),
      durable('tool_result', { tool_call_id: 'c1', name: 'write', status: 'denied', output_preview: 'no' }),
    ]);
    expect(of(timeline, 'tool')).toMatchObject([
      { arguments: { path: 'a' }, status: 'denied', preview: 'no' },
    ]);
  });

  it('matches results by id when they come in another order', () => {
    const { durable } = log();
    const timeline = fold([
      durable('tool_call', { tool_call_id: 'a', name: 'one', arguments: {} }),
      durable('tool_call', { tool_call_id: 'b', name: 'two', arguments: {} }),
      durable('tool_result', { tool_call_id: 'b', name: 'two', status: 'ok', output_preview: 'B' }),
      durable('tool_result', { tool_call_id: 'a', name: 'one', status: 'error', output_preview: 'A' }),
    ]);
    expect(of(timeline, 'tool').map(({ name, preview }) => [name, preview])).toEqual([
      ['one', 'A'],
      ['two', 'B'],
    ]);
  });

  it('takes an id that a later turn uses again for a new call', () => {
    const { durable } = log();
    const once = (preview: string) => [
      durable('tool_call', { tool_call_id: 'call_0', name: 'search', arguments: {} }),
      durable('tool_result', {
        tool_call_id: 'call_0',
        name: 'search',
        status: 'ok',
        output_preview: preview,
      }),
    ];
    const timeline = fold([...once('first'), ...once('second')]);
    expect(of(timeline, 'tool').map((item) => item.preview)).toEqual(['first', 'second']);
  });

  it('leaves no call running after the turn', () => {
    const { durable } = log();
    const calls = ['a', 'b'].map((id) => ({ id, function: { name: id, arguments: '{}' } }));
    const timeline = fold([
      durable('message', { role: 'assistant', content: '', tool_calls: calls, metadata: {} }),
      durable('tool_call', { tool_call_id: 'a', name: 'a', arguments: {} }),
      durable('done', { status: 'cancelled' }),
    ]);
    expect(of(timeline, 'tool').map((item) => item.status)).toEqual(['interrupted', 'skipped']);
  });
});

it('keeps the latest plan', () => {
  const { durable } = log();
  const timeline = fold([
    durable('tasks', { tasks: [{ id: '1', content: 'old', status: 'pending', blocked_by: [] }] }),
    durable('tasks', { tasks: [{ id: '1', content: 'new', status: 'in_progress', blocked_by: ['0', 7] }] }),
  ]);
  expect(timeline.tasks).toEqual([{ id: '1', content: 'new', status: 'in_progress', blockedBy: ['0'] }]);
});

it('gives a line to what the engine did, and none to a compaction that changed nothing', () => {
  const { durable } = log();
  const timeline = fold([
    durable('retry', { kind: 'overloaded', attempt: 2, delay_ms: 500 }),
    durable('compaction', { outcome: 'fits', tokens_before: 1, tokens_after: 1 }),
    durable('compaction', { outcome: 'compacted', tokens_before: 9000, tokens_after: 4000 }),
    durable('something_new', { any: 'thing' }),
  ]);
  expect(of(timeline, 'notice').map((item) => item.notice)).toEqual([
    { about: 'retry', kind: 'overloaded', attempt: 2, delayMs: 500 },
    { about: 'compaction', outcome: 'compacted', tokensBefore: 9000, tokensAfter: 4000 },
  ]);
});

describe('for any events', () => {
  const types = [
    ...['session', 'session_updated', 'message', 'step', 'thought', 'thought_snapshot', 'text_delta'],
    ...['text_snapshot', 'tool_call', 'tool_result', 'tasks', 'cancel_requested', 'attempt_failed', 'retry'],
    ...['compaction', 'usage', 'error', 'done', 'unheard_of'],
  ];
  const value = fc.oneof(
    fc.constantFrom('assistant', 'user', 'c1', 'ok', ''),
    fc.integer(),
    fc.constant(null),
    fc.object(),
  );
  const fields = fc.dictionary(
    fc.constantFrom(
      'role',
      'content',
      'text',
      'thought',
      'tool_calls',
      'tool_call_id',
      'status',
      'metadata',
      'tasks',
    ),
    fc.oneof(value, fc.array(value)),
  );
  const event = fc.record({ type: fc.constantFrom(...types), fields, durable: fc.boolean() });
  const events = fc.array(event, { maxLength: 60 }).map((list) => {
    const { durable, transient } = log();
    return list.map(({ type, fields: own, durable: isDurable }) =>
      isDurable ? durable(type, own) : transient(type, 'x', own),
    );
  });

  it('never throws, whatever the fields hold', () => {
    fc.assert(
      fc.property(events, (list) => {
        expect(() => fold(list)).not.toThrow();
      }),
    );
  });

  it('ignores durable events that come again', () => {
    fc.assert(
      fc.property(events, fc.nat(60), (list, at) => {
        const durable = list.filter((one) => one.seq !== null);
        const again = [...durable.slice(0, at), ...durable.slice(0, at), ...durable.slice(at)];
        expect(fold(again)).toEqual(fold(durable));
      }),
    );
  });

  it('leaves older timelines as they were', () => {
    fc.assert(
      fc.property(events, events, (before, after) => {
        const timeline = fold(before);
        const printed = JSON.stringify(timeline);
        fold(after, timeline);
        expect(JSON.stringify(timeline)).toBe(printed);
      }),
    );
  });
});

it('touches one chunk of ten thousand items per delta', () => {
  const { durable, transient } = log();
  let timeline = emptyTimeline();
  for (let n = 0; n < 10_000; n++) {
    timeline = foldTimeline(timeline, durable('message', { role: 'user', content: `${n}`, metadata: {} }));
  }
  timeline = foldTimeline(timeline, transient('text_delta', 'a'));
  const next = foldTimeline(timeline, transient('text_delta', 'b'));
  const changed = next.items.chunks.filter((chunk, position) => chunk !== timeline.items.chunks[position]);
  expect(changed).toHaveLength(1);
});
