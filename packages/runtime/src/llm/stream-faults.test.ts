/** Every named stream fault in all four dialects, and a recorded reply of each cut at every byte. No network, no waiting. */
import { brokenRules, type Message } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../manual-clock.ts';
import { createAnthropicModel } from './anthropic.ts';
import type { ModelEvent } from './language-model.ts';
import { eventsOf, QUESTION, requestOf } from './model.contract.ts';
import { createOpenAiModel } from './openai-compatible.ts';
import { STREAM_DIALECTS, type StreamDialect } from './stream-dialects.contract.ts';
import { STREAM_FAULTS } from './stream-faults.contract.ts';

const BASE = { agentName: 'lead', turnIndex: 0, step: 0, tokens: 1, createdAtMs: 0 };
const EARLIER = { toolCallId: 'earlier', name: 'search' };
const HISTORY: readonly Message[] = [
  ...QUESTION,
  {
    ...BASE,
    id: 'm2',
    role: 'assistant',
    parts: [{ type: 'tool-call', ...EARLIER, arguments: '{}' }],
    ending: 'tool-calls',
  },
  { ...BASE, id: 'm3', role: 'tool', parts: [{ type: 'tool-result', ...EARLIER, status: 'ok', text: '-' }] },
];

function eventsFrom(
  { provider }: StreamDialect,
  pieces: readonly Uint8Array[],
  headers: Readonly<Record<string, string>> = {},
) {
  let count = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const options = {
    baseUrl: 'http://provider.test/v1',
    defaultModel: 'default-model',
    timeoutMs: 1000,
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream', ...headers } }),
    clock: createManualClock(),
    ids: () => `new-${++count}`,
  };
  const model =
    provider === 'anthropic' ? createAnthropicModel(options) : createOpenAiModel({ ...options, provider });
  return eventsOf(model, requestOf({ messages: HISTORY }));
}

const callsIn = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
const textIn = (events: readonly ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

/** The history with the reply in it and a result for each of its calls. */
function stored(events: readonly ModelEvent[]): readonly Message[] {
  const calls = callsIn(events);
  const text = textIn(events);
  const parts = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls];
  return [
    ...HISTORY,
    { ...BASE, id: 'm4', role: 'assistant', parts, ending: 'stop' },
    ...calls.map(
      ({ toolCallId, name }, nth): Message => ({
        ...BASE,
        id: `m${5 + nth}`,
        role: 'tool',
        parts: [{ type: 'tool-result', toolCallId, name, status: 'ok', text: '-' }],
      }),
    ),
  ];
}

describe.each(STREAM_DIALECTS)('$provider gives one typed outcome for', (dialect) => {
  it.each(STREAM_FAULTS)('$name', async ({ body, outcome, text, calls = [], promptTokens, headers }) => {
    const events = await eventsFrom(dialect, [new TextEncoder().encode(body(dialect))], headers);
    const ends = events.flatMap((event) => {
      if (event.type === 'finish') return [event.reason];
      return event.type === 'failure' ? [event.failure.kind] : [];
    });
    expect(ends).toEqual([outcome]);
    expect(events.at(-1)?.type).toMatch(/^(finish|failure)$/);
    if (text !== undefined) expect(textIn(events) === text).toBe(true);
    const written = callsIn(events).map((call) => call.arguments);
    expect(written.map((given) => given.length)).toEqual(calls.map((given) => given.length));
    expect(written.every((given, nth) => given === calls[nth])).toBe(true);
    const reported = events.flatMap((event) => (event.type === 'usage' ? [event.usage.promptTokens] : []));
    if (promptTokens !== undefined) expect(reported).toEqual(promptTokens === null ? [] : [promptTokens]);
    for (const event of events) if (event.type === 'text') expect(event.text.isWellFormed()).toBe(true);
    const isStored = events.at(-1)?.type === 'finish' && (textIn(events) !== '' || calls.length > 0);
    if (isStored) expect(brokenRules(stored(events))).toEqual([]);
  });

  it('a whole reply, cut in two at every byte and one byte at a time', async () => {
    const reply = {
      reasoning: ['想 🤔'],
      text: ['星系 é ', '👩‍🚀'],
      calls: [{ id: 'a', name: 'search', pieces: ['{"q":"距', '离"}'] }],
      usage: { prompt: 12, completion: 5, cached: 0 },
      finish: 'tool-calls' as const,
    };
    const bytes = new TextEncoder().encode(dialect.render(reply).join(''));
    const whole = await eventsFrom(dialect, [bytes]);
    expect(whole.map(({ type }) => type)).toEqual([
      'reasoning',
      'text',
      'text',
      'tool-call',
      'usage',
      'finish',
    ]);
    for (let cut = 1; cut < bytes.length; cut++) {
      const events = await eventsFrom(dialect, [bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect(events, `cut at byte ${cut}`).toEqual(whole);
    }
    expect(
      await eventsFrom(
        dialect,
        [...bytes].map((byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(whole);
  });
});
