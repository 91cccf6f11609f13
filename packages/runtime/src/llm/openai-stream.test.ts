/** The OpenAI-compatible adapter on streams cut, stalled and spoilt in every way (reliability.md 2.6). No network, no waiting. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../manual-clock.ts';
import type { ModelEvent } from './language-model.ts';
import { eventsOf, joined, requestOf } from './model.contract.ts';
import { createOpenAiModel } from './openai-compatible.ts';

type Body = { readonly pieces: readonly Uint8Array[]; readonly ending?: 'end' | 'hold' };

/** A fetch whose answer has exactly these pieces; `cancelled` counts bodies that were given up. */
function streaming(body: Body, headers: Readonly<Record<string, string>> = {}) {
  let cancelled = 0;
  const answer: typeof fetch = async () => {
    let next = 0;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = body.pieces[next++];
          if (piece !== undefined) controller.enqueue(piece);
          else if (body.ending === 'hold') return new Promise(() => {});
          else controller.close();
          return undefined;
        },
        cancel() {
          cancelled++;
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(stream, { headers: { 'content-type': 'text/event-stream', ...headers } });
  };
  return {
    fetch: answer,
    get cancelled() {
      return cancelled;
    },
  };
}

function modelOn(answer: typeof fetch, clock: ManualClock = createManualClock()) {
  let count = 0;
  return createOpenAiModel({
    provider: 'openai',
    baseUrl: 'http://provider.test/v1',
    defaultModel: 'default-model',
    timeoutMs: 1000,
    maxDurationMs: 60_000,
    fetch: answer,
    clock,
    ids: () => `new-${++count}`,
  });
}

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text);
const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (fields: unknown, finish_reason: string | null = null) =>
  data({ choices: [{ index: 0, delta: fields, finish_reason }] });
const DONE = 'data: [DONE]\n\n';

/** The events of one stream that arrives whole. */
const eventsIn = (text: string, overrides = {}) =>
  eventsOf(modelOn(streaming({ pieces: [bytesOf(text)] }).fetch), requestOf(overrides));

const RECORDED = [
  ': keep-alive\n\n',
  delta({ role: 'assistant', content: '' }),
  delta({ reasoning_content: '想一想 🤔' }),
  delta({ content: '星系 é ' }),
  delta({ content: '👩‍🚀🔭 “NGC”' }),
  delta({
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'search', arguments: '' } }],
  }),
  delta({ tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '{"query":"距' } }] }),
  delta({ tool_calls: [{ index: 0, id: null, function: { arguments: '离"}' } }] }),
  delta({}, 'tool_calls'),
  data({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 } }),
  DONE,
].join('');

const EXPECTED: readonly ModelEvent[] = [
  { type: 'reasoning', text: '想一想 🤔' },
  { type: 'text', text: '星系 é ' },
  { type: 'text', text: '👩‍🚀🔭 “NGC”' },
  {
    type: 'tool-call',
    call: { type: 'tool-call', toolCallId: 'call_1', name: 'search', arguments: '{"query":"距离"}' },
  },
  {
    type: 'usage',
    usage: { promptTokens: 12, completionTokens: 5, cachedTokens: 0, reasoningTokens: 0, estimated: false },
  },
  {
    type: 'finish',
    reason: 'tool-calls',
    raw: {
      role: 'assistant',
      content: '星系 é 👩‍🚀🔭 “NGC”',
      reasoning_content: '想一想 🤔',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{"query":"距离"}' } },
      ],
    },
  },
];

describe('a stream cut anywhere', () => {
  const bytes = bytesOf(RECORDED);

  it('gives the same events for a cut at every byte', async () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { fetch } = streaming({ pieces: [bytes.subarray(0, cut), bytes.subarray(cut)] });
      expect(await eventsOf(modelOn(fetch)), `cut at byte ${cut}`).toEqual(EXPECTED);
    }
  });

  it('gives the same events one byte at a time', async () => {
    const { fetch } = streaming({ pieces: [...bytes].map((byte) => Uint8Array.of(byte)) });
    expect(await eventsOf(modelOn(fetch))).toEqual(EXPECTED);
  });

  it('gives the same events for any cuts and any line ends', async () => {
    const cuts = fc.array(fc.nat(bytes.length * 2), { maxLength: 12 });
    const lineEnd = fc.constantFrom('\n', '\r', '\r\n');
    await fc.assert(
      fc.asyncProperty(cuts, lineEnd, fc.boolean(), async (places, end, mark) => {
        const all = bytesOf((mark ? '\uFEFF' : '') + RECORDED.replaceAll('\n', end));
        const borders = [0, ...places.map((place) => place % (all.length + 1)), all.length];
        borders.sort((a, b) => a - b);
        const pieces = borders.slice(1).map((border, place) => all.subarray(borders[place], border));
        expect(await eventsOf(modelOn(streaming({ pieces }).fetch))).toEqual(EXPECTED);
      }),
      { numRuns: 200 },
    );
  });

  it('joins a surrogate pair that was sent in two events', async () => {
    const half = (text: string) => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`;
    const events = await eventsIn(half('a\\ud83d') + half('\\udd2dz') + half('\\ud83d') + DONE);
    expect(events).toMatchObject([
      { type: 'text', text: 'a' },
      { type: 'text', text: '🔭z' },
      { type: 'text', text: '\ufffd' },
      { type: 'finish', raw: { content: 'a🔭z\ufffd' } },
    ]);
  });

  it('reads a piece of 10 MB', async () => {
    const text = '星'.repeat(3_500_000);
    const all = bytesOf(delta({ content: text }) + DONE);
    const pieces: Uint8Array[] = [];
    for (let start = 0; start < all.length; start += 65_536) pieces.push(all.subarray(start, start + 65_536));
    const events = await eventsOf(modelOn(streaming({ pieces }).fetch));
    expect(events.map((event) => event.type)).toEqual(['text', 'finish']);
    expect(events[0]?.type === 'text' && events[0].text === text).toBe(true);
  });
});

describe('time', () => {
  it('ends a stream that falls silent as timeout, counted from the last byte', async () => {
    const clock = createManualClock();
    const source = streaming({
      pieces: [bytesOf(delta({ content: 'Hm' })), bytesOf(': ping\n\n')],
      ending: 'hold',
    });
    const events = modelOn(source.fetch, clock).stream(requestOf(), new AbortController().signal);
    const reader = events[Symbol.asyncIterator]();
    expect((await reader.next()).value).toEqual({ type: 'text', text: 'Hm' });
    const next = reader.next();
    clock.advance(999);
    await settle();
    clock.advance(999);
    expect(await isPending(next)).toBe(true);
    clock.advance(1000);
    expect((await next).value).toMatchObject({
      type: 'failure',
      failure: { kind: 'timeout', message: 'The provider sent nothing for 1 s.' },
    });
    expect((await reader.next()).done).toBe(true);
    expect(source.cancelled).toBe(1);
    expect(clock.waiting).toBe(0);
  });

  it('ends a call whose headers never come as timeout, also where fetch ignores its signal', async () => {
    const clock = createManualClock();
    const events = eventsOf(modelOn(() => new Promise(() => {}), clock));
    await settle();
    clock.advance(1000);
    expect(await events).toMatchObject([{ type: 'failure', failure: { kind: 'timeout' } }]);
  });

  it('does not count the time that the reader of the events takes', async () => {
    const clock = createManualClock();
    const { fetch } = streaming({
      pieces: [bytesOf(delta({ content: 'a' })), bytesOf(delta({}, 'stop') + DONE)],
    });
    const events = await eventsOf(modelOn(fetch, clock), requestOf(), undefined, () => clock.advance(5000));
    expect(events.map((event) => event.type)).toEqual(['text', 'finish']);
  });

  it('takes a stream as whole that falls silent behind its finish_reason', async () => {
    const clock = createManualClock();
    const { fetch } = streaming({ pieces: [bytesOf(delta({ content: 'All.' }, 'stop'))], ending: 'hold' });
    const reader = modelOn(fetch, clock)
      .stream(requestOf(), new AbortController().signal)
      [Symbol.asyncIterator]();
    await reader.next();
    const next = reader.next();
    await settle();
    clock.advance(1000);
    expect((await next).value).toMatchObject({ type: 'finish', reason: 'stop' });
  });

  it.each([
    ['nothing but signs of life', ': ping\n\n', ['failure']],
    ['text without end', delta({ content: 'and ' }), ['finish']],
  ])('ends a stream of %s', async (_what, piece, ends) => {
    const clock = createManualClock();
    const endless: typeof fetch = async () =>
      new Response(
        new ReadableStream(
          {
            pull(controller) {
              clock.advance(900);
              controller.enqueue(bytesOf(piece));
            },
          },
          { highWaterMark: 0 },
        ),
      );
    const events = joined(await eventsOf(modelOn(endless, clock)));
    expect(events.map((event) => event.type).filter((type) => type !== 'text')).toEqual(ends);
    expect(events.at(-1)).toMatchObject(
      ends[0] === 'failure' ? { failure: { kind: 'timeout' } } : { reason: 'length' },
    );
  });

  it('cuts a reply far beyond the limit that was asked for', async () => {
    let pulls = 0;
    const endless: typeof fetch = async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pulls++;
            controller.enqueue(bytesOf(delta({ content: 'again '.repeat(100) })));
          },
        }),
      );
    const events = await eventsOf(modelOn(endless), requestOf({ maxOutputTokens: 100 }));
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
    expect(pulls).toBeLessThan(20);
  });
});

describe('streams that go wrong', () => {
  const failureOf = async (text: string) => {
    const event = (await eventsIn(text)).at(-1);
    return event?.type === 'failure' ? event.failure : event;
  };

  it.each([
    ['an empty body', ''],
    ['half an answer', delta({ content: 'Half' })],
    ['half an event', `${delta({ content: 'Half' })}data: {"choices":[{"delta":{"cont`],
    ['only a role', delta({ role: 'assistant' })],
  ])('reports a stream that breaks off as network: %s', async (_what, text) => {
    expect(await failureOf(text)).toMatchObject({ kind: 'network' });
  });

  it.each([
    [
      'an error object',
      data({ error: { message: 'Overloaded', type: 'overloaded_error' } }),
      'overloaded',
      'Overloaded',
    ],
    [
      'an error text',
      data({ error: 'model runner has stopped' }),
      'server_error',
      'model runner has stopped',
    ],
    [
      'an error with a status',
      data({ error: { code: 429, message: 'Slow.' }, choices: [] }),
      'rate_limited',
      'Slow.',
    ],
    ['an error event', `event: error\n${data({ error: { message: 'Boom.' } })}`, 'server_error', 'Boom.'],
    ['an error event in plain words', 'event: error\ndata: Boom.\n\n', 'server_error', 'Boom.'],
    [
      'an error field',
      'error: {"code":400,"message":"Too big.","type":"exceed_context_size_error"}\n\n',
      'context_too_long',
      'Too big.',
    ],
    [
      'an error line without data',
      '{"error":{"message":"No.","type":"invalid_request_error"}}\n',
      'bad_request',
      'No.',
    ],
    [
      'an error in a choice',
      data({ choices: [{ error: { code: 502, message: 'Upstream.' } }] }),
      'overloaded',
      'Upstream.',
    ],
    [
      'an error object of another kind',
      data({ object: 'error', message: 'Bad.', code: 400 }),
      'bad_request',
      'Bad.',
    ],
    ['words alone', data({ code: 'Throttling', message: 'Too many.' }), 'rate_limited', 'Too many.'],
    ['an error in a list', data([{ error: { code: 503, message: 'Full.' } }]), 'overloaded', 'Full.'],
    ['no JSON', 'data: {"choices":[{"delta":{"cont\n\n', 'server_error', 'not JSON'],
    ['finish_reason error', delta({ content: 'a' }, 'error'), 'server_error', 'finish_reason "error"'],
  ])('reports %s inside of a 200 stream, once', async (_what, text, kind, words) => {
    const events = await eventsIn(
      delta({ content: 'Before. ' }) + text + delta({ content: 'After.' }) + DONE,
    );
    const ends = events.filter((event) => event.type === 'failure' || event.type === 'finish');
    expect(ends).toMatchObject([{ type: 'failure', failure: { kind } }]);
    expect(JSON.stringify(ends)).toContain(JSON.stringify(words).slice(1, -1));
    expect(events[0]).toEqual({ type: 'text', text: 'Before. ' });
  });

  it('still reports the usage of a call that failed', async () => {
    const usage = data({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } });
    expect((await eventsIn(delta({ content: 'a' }) + usage)).map((event) => event.type)).toEqual([
      'text',
      'usage',
      'failure',
    ]);
  });

  it('refuses an event that grows beyond all bounds, and gives its body up', async () => {
    const piece = bytesOf('a'.repeat(1024 * 1024));
    const source = streaming({ pieces: [bytesOf('data: '), ...Array<Uint8Array>(20).fill(piece)] });
    expect(await eventsOf(modelOn(source.fetch))).toMatchObject([
      { type: 'failure', failure: { kind: 'server_error', message: expect.stringContaining('larger than') } },
    ]);
    expect(source.cancelled).toBe(1);
  });

  it('ends a stream of signs of life that grows beyond all bounds', async () => {
    const piece = bytesOf(`: ${'a'.repeat(1024 * 1024 - 3)}\n`);
    const source = streaming({ pieces: Array<Uint8Array>(65).fill(piece), ending: 'hold' });
    expect(await eventsOf(modelOn(source.fetch))).toMatchObject([
      { type: 'failure', failure: { kind: 'timeout' } },
    ]);
    expect(source.cancelled).toBe(1);
  });

  it('passes over empty choices, null deltas, unknown fields and stray values', async () => {
    const noise = [
      data({ choices: [] }),
      data({ choices: null }),
      data({ choices: [{ delta: null }] }),
      data({ choices: [{}] }),
      data({ choices: [{ delta: { content: null, tool_calls: null, reasoning_content: null, audio: {} } }] }),
      data({ choices: [{ delta: { content: 7, tool_calls: 'x', reasoning: [] } }], usage: null, odd: 1 }),
      data({
        choices: [{ delta: { tool_calls: [] } }],
        usage: { prompt_tokens: '9', completion_tokens: -1 },
      }),
      data(null),
      data(42),
      data({ type: 'ping' }),
      'nonsense: here\n\n',
    ];
    const events = await eventsIn(noise.join('') + delta({ content: 'All.' }, 'stop') + DONE);
    expect(events).toEqual([
      { type: 'text', text: 'All.' },
      { type: 'finish', reason: 'stop', raw: { role: 'assistant', content: 'All.' } },
    ]);
  });

  it('finishes by what came when only [DONE] says the end', async () => {
    const call = { index: 0, id: 'a', function: { name: 'search', arguments: '{}' } };
    expect((await eventsIn(delta({ content: 'a' }) + DONE)).at(-1)).toMatchObject({ reason: 'stop' });
    expect((await eventsIn(delta({ tool_calls: [call] }) + DONE)).at(-1)).toMatchObject({
      reason: 'tool-calls',
    });
  });

  it('drops no arguments that came as a value instead of a text', async () => {
    const written = [['q'], 7, false, { query: 'M 77' }];
    const calls = written.map((value, index) => ({
      index,
      id: `c${index}`,
      function: { name: 'search', arguments: value },
    }));
    const events = await eventsIn(delta({ tool_calls: calls }, 'tool_calls') + DONE);
    const given = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.arguments] : []));
    expect(given).toEqual(written.map((value) => JSON.stringify(value)));
  });

  it('passes over what is no JSON behind the finish_reason', async () => {
    const spoilt = 'data: {"choices":[],"usage":{"prompt_tokens":NaN}}\n\n';
    const events = await eventsIn(delta({ content: 'All.' }, 'stop') + spoilt + DONE);
    expect(events.map((event) => event.type)).toEqual(['text', 'finish']);
  });

  it('reads a last [DONE] without a line end', async () => {
    expect((await eventsIn(`${delta({ content: 'a' })}data:[DONE]`)).at(-1)).toMatchObject({
      reason: 'stop',
    });
  });

  it('gives nothing behind [DONE]', async () => {
    const events = await eventsIn(delta({ content: 'a' }) + DONE + delta({ content: 'b' }) + DONE);
    expect(events.map((event) => event.type)).toEqual(['text', 'finish']);
  });
});

/** Lets everything run that needs no clock. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  promise.then(() => {
    pending = false;
  });
  await settle();
  return pending;
}
