/** The OpenAI-compatible adapter against a provider on the loopback interface: the contract, the request, the socket. */
import type { Message } from '@astroresearch/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../manual-clock.ts';
import {
  type LoopbackAnswer,
  type LoopbackProvider,
  startLoopbackProvider,
} from '../testing/loopback-provider.ts';
import type { LanguageModel } from './language-model.ts';
import {
  type ContractReply,
  describeModelContract,
  eventsOf,
  joined,
  QUESTION,
  requestOf,
} from './model.contract.ts';
import { createOpenAiModel, type OpenAiModelOptions } from './openai-compatible.ts';

function modelAt(baseUrl: string, overrides: Partial<OpenAiModelOptions> = {}): LanguageModel {
  let count = 0;
  return createOpenAiModel({
    provider: 'openai',
    baseUrl,
    apiKey: 'sk-test-0123456789',
    defaultModel: 'default-model',
    timeoutMs: 1000,
    fetch,
    clock: createManualClock(),
    ids: () => `new-${++count}`,
    ...overrides,
  });
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (fields: unknown, finish_reason: string | null = null) =>
  data({ id: 'c1', choices: [{ index: 0, delta: fields, finish_reason }] });
const DONE = 'data: [DONE]\n\n';

/** Pieces of three code points, as a provider would stream them. */
function threes(text: string): readonly string[] {
  return [...text].reduce<string[]>((list, character, place) => {
    if (place % 3 === 0) list.push('');
    list[list.length - 1] += character;
    return list;
  }, []);
}

function answerOf(reply: ContractReply | 'failure'): LoopbackAnswer {
  if (reply === 'failure') {
    return { status: 503, headers: { 'content-type': 'application/json' }, pieces: ['{"error":"Busy."}'] };
  }
  const calls = (reply.toolCalls ?? []).flatMap((call, index) => [
    delta({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    }),
    ...threes(call.arguments).map((piece) =>
      delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ]);
  const usage = reply.usage;
  return {
    pieces: [
      delta({ role: 'assistant', content: '' }),
      ...threes(reply.reasoning ?? '').map((piece) => delta({ reasoning_content: piece })),
      ...threes(reply.text ?? '').map((piece) => delta({ content: piece })),
      ...calls,
      delta({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      ...(usage === undefined
        ? []
        : [
            data({
              choices: [],
              usage: {
                prompt_tokens: usage.promptTokens,
                completion_tokens: usage.completionTokens,
                prompt_tokens_details: { cached_tokens: usage.cachedTokens },
                completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
              },
            }),
          ]),
      DONE,
    ],
  };
}

describeModelContract('openai', {
  knows: { missingIds: true, usage: true },
  give: async (replies) => {
    const provider = await startLoopbackProvider();
    provider.answer(...replies.map(answerOf));
    return {
      model: modelAt(provider.baseUrl),
      released: async () => provider.requests.at(-1)?.closed,
      close: () => provider.close(),
    };
  },
});

describe('openai-compatible adapter', () => {
  let provider: LoopbackProvider;
  beforeEach(async () => {
    provider = await startLoopbackProvider();
  });
  afterEach(() => provider.close());

  it('asks for a stream with usage, by purpose, with key, messages, tools and limit', async () => {
    provider.answer(answerOf({ text: 'Yes.' }));
    await eventsOf(modelAt(provider.baseUrl), requestOf({ purpose: 'summary', maxOutputTokens: 500 }));
    const [request] = provider.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers).toMatchObject({
      'x-astroresearch-purpose': 'summary',
      authorization: 'Bearer sk-test-0123456789',
      'content-type': 'application/json',
    });
    expect(request?.body).toEqual({
      model: 'test-model',
      messages: [
        { role: 'system', content: 'You are a researcher.' },
        { role: 'user', content: '星系 NGC 1068 有多远?🔭' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'search', description: 'Finds papers.', parameters: { type: 'object' } },
        },
      ],
      max_tokens: 500,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('sends no authorization without a key, and the default model where none is named', async () => {
    provider.answer(answerOf({ text: 'Yes.' }));
    await eventsOf(modelAt(`${provider.baseUrl}/`, { apiKey: '' }), requestOf({ model: '', tools: [] }));
    const [request] = provider.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.body).toMatchObject({ model: 'default-model' });
    expect(request?.body).not.toHaveProperty('tools');
  });

  it('closes the socket of a silent stream when aborted', async () => {
    provider.answer({ pieces: [delta({ content: 'Hm' })], ending: 'hold' });
    const controller = new AbortController();
    const events = await eventsOf(modelAt(provider.baseUrl), requestOf(), controller.signal, () =>
      queueMicrotask(() => controller.abort()),
    );
    expect(events).toEqual([{ type: 'text', text: 'Hm' }]);
    await provider.requests[0]?.closed;
  });

  it('closes the socket when aborted before the first byte', async () => {
    const controller = new AbortController();
    provider.answer({ pieces: [], ending: 'hold' });
    const watching: typeof fetch = async (...call) => {
      const response = await fetch(...call);
      controller.abort();
      return response;
    };
    const model = modelAt(provider.baseUrl, { fetch: watching });
    expect(await eventsOf(model, requestOf(), controller.signal)).toEqual([]);
    await provider.requests[0]?.closed;
  });

  it('finishes at [DONE] and keeps the connection for the next call when the rest comes soon', async () => {
    provider.answer({ ...answerOf({ text: 'One.' }), ending: 'hold' }, answerOf({ text: 'Two.' }));
    const clock = createManualClock();
    const model = modelAt(provider.baseUrl, { clock });
    expect((await eventsOf(model)).at(-1)?.type).toBe('finish');
    provider.release();
    // Its one timer is taken back when the rest of the body is read.
    while (clock.waiting > 0) await nextTick();
    await nextTick();
    expect((await eventsOf(model)).at(-1)?.type).toBe('finish');
    expect(provider.connections).toBe(1);
  });

  it('closes the connection when nothing ends the answer within a second of [DONE]', async () => {
    provider.answer({ ...answerOf({ text: 'One.' }), ending: 'hold' });
    const clock = createManualClock();
    await eventsOf(modelAt(provider.baseUrl, { clock }));
    clock.advance(1000);
    await provider.requests[0]?.closed;
    expect(clock.waiting).toBe(0);
  });

  it('reports a connection cut in the middle as network, after what came', async () => {
    provider.answer({ pieces: [delta({ content: 'Half an ' })], ending: 'cut' });
    expect(await eventsOf(modelAt(provider.baseUrl))).toMatchObject([
      { type: 'text', text: 'Half an ' },
      { type: 'failure', failure: { kind: 'network' } },
    ]);
  });

  it('takes a reply as whole when the connection is cut behind its finish_reason', async () => {
    provider.answer({ pieces: [delta({ content: 'All.' }), delta({}, 'stop')], ending: 'cut' });
    expect(await eventsOf(modelAt(provider.baseUrl))).toMatchObject([
      { type: 'text', text: 'All.' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('says that nobody listens', async () => {
    const { baseUrl } = provider;
    await provider.close();
    const events = await eventsOf(modelAt(baseUrl));
    expect(events).toMatchObject([{ type: 'failure', failure: { kind: 'network' } }]);
    expect(JSON.stringify(events)).toContain('ECONNREFUSED');
    provider = await startLoopbackProvider();
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect (%i): the key stays here', async (status) => {
    const other = await startLoopbackProvider();
    const location = `${other.baseUrl}/chat/completions?token=hidden`;
    provider.answer({ status, headers: { location }, pieces: ['Moved.'] });
    const events = await eventsOf(modelAt(provider.baseUrl));
    await other.close();
    expect(other.requests).toEqual([]);
    expect(events).toMatchObject([{ type: 'failure', failure: { kind: 'bad_request', status } }]);
    const told = JSON.stringify(events);
    expect(told).toContain(`to the host ${new URL(other.baseUrl).host} `);
    expect(told).toContain('LLM_BASE_URL');
    expect(told).not.toContain('hidden');
  });

  it('says of a redirect without a readable target that it was one', async () => {
    provider.answer(
      { status: 302, pieces: [] },
      { status: 302, headers: { location: 'http://' }, pieces: [] },
    );
    const model = modelAt(provider.baseUrl);
    for (const events of [await eventsOf(model), await eventsOf(model)])
      expect(JSON.stringify(events)).toContain('redirects somewhere else (HTTP 302)');
  });

  it('reads error answers: kind, words without the key, status, time to wait', async () => {
    provider.answer({
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': '7' },
      pieces: ['{"error":{"message":"Slow down, sk-test-0123456789.","code":"rate_limit_exceeded"}}'],
    });
    expect(await eventsOf(modelAt(provider.baseUrl))).toEqual([
      {
        type: 'failure',
        failure: {
          kind: 'rate_limited',
          message: 'Slow down, [secret removed].',
          status: 429,
          retryAfterMs: 7000,
        },
      },
    ]);
  });

  it('understands a whole completion where a stream was asked for', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'search', arguments: '{}' } };
    const message = { role: 'assistant', content: 'Hm.', reasoning_content: 'Think.', tool_calls: [call] };
    provider.answer({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      pieces: [
        JSON.stringify({
          choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
          usage: { prompt_tokens: 9, completion_tokens: 4 },
        }),
      ],
    });
    expect(await eventsOf(modelAt(provider.baseUrl))).toEqual([
      { type: 'reasoning', text: 'Think.' },
      { type: 'text', text: 'Hm.' },
      { type: 'tool-call', call: { type: 'tool-call', toolCallId: 'a', name: 'search', arguments: '{}' } },
      {
        type: 'usage',
        usage: {
          promptTokens: 9,
          completionTokens: 4,
          cachedTokens: 0,
          reasoningTokens: 0,
          estimated: false,
        },
      },
      { type: 'finish', reason: 'tool-calls', raw: message },
    ]);
  });

  it('reports an HTML page with status 200 as a failure, not as text', async () => {
    provider.answer({ headers: { 'content-type': 'text/html' }, pieces: ['<html>Sign in</html>'] });
    expect(await eventsOf(modelAt(provider.baseUrl))).toMatchObject([
      { type: 'failure', failure: { kind: 'server_error' } },
    ]);
  });

  it('gives a call a new id when its own is already in the request', async () => {
    const base = { agentName: 'main', turnIndex: 0, step: 0, tokens: 1, createdAtMs: 0 };
    const call = { type: 'tool-call', toolCallId: 'search:0', name: 'search', arguments: '{}' } as const;
    const messages: readonly Message[] = [
      ...QUESTION,
      { ...base, id: 'm2', role: 'assistant', parts: [call], ending: 'tool-calls' },
      {
        ...base,
        id: 'm3',
        role: 'tool',
        parts: [
          { type: 'tool-result', toolCallId: 'search:0', name: 'search', status: 'ok', text: 'Nothing.' },
        ],
      },
    ];
    provider.answer(answerOf({ toolCalls: [{ id: 'search:0', name: 'search', arguments: '{}' }] }));
    const events = await eventsOf(modelAt(provider.baseUrl), requestOf({ messages }));
    expect(joined(events)[0]).toMatchObject({ type: 'tool-call', call: { toolCallId: 'new-1' } });
  });

  it.each([
    ['no address at all', 'not an address', 'sk-test-0123456789', 'bad_request'],
    ['another protocol', 'ftp://example.org/v1', 'sk-test-0123456789', 'bad_request'],
    ['a password in the address', 'http://me:hush-hush@localhost/v1', '', 'bad_request'],
    ['a key that no header can carry', 'http://localhost/v1', 'sk-密钥-0123', 'auth'],
  ])('ends with a failure that keeps secrets: %s', async (_what, baseUrl, apiKey, kind) => {
    const events = await eventsOf(modelAt(baseUrl, { apiKey }));
    expect(events).toMatchObject([{ type: 'failure', failure: { kind } }]);
    expect(JSON.stringify(events)).not.toMatch(/hush-hush|sk-/);
  });
});

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
