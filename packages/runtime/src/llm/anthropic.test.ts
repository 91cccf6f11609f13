/** The Anthropic adapter against a provider on the loopback interface: the contract, the request, thoughts and caches. */
import type { Message } from '@astroresearch/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../manual-clock.ts';
import {
  type LoopbackAnswer,
  type LoopbackProvider,
  startLoopbackProvider,
} from '../testing/loopback-provider.ts';
import { createAnthropicModel } from './anthropic.ts';
import type { LanguageModel } from './language-model.ts';
import {
  type ContractReply,
  describeModelContract,
  eventsOf,
  QUESTION,
  requestOf,
} from './model.contract.ts';

function modelAt(baseUrl: string): LanguageModel {
  let count = 0;
  return createAnthropicModel({
    baseUrl,
    apiKey: 'sk-ant-test-0123456789',
    defaultModel: 'default-model',
    timeoutMs: 1000,
    fetch,
    clock: createManualClock(),
    ids: () => `new-${++count}`,
  });
}

const event = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const signed = (signature: string) => ({ type: 'signature_delta', signature });
const threes = (text: string) => text.match(/[\s\S]{1,3}/gu) ?? [];

function block(index: number, start: object, deltas: readonly object[]): readonly string[] {
  return [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
}

function answerOf(reply: ContractReply | 'failure'): LoopbackAnswer {
  if (reply === 'failure') {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    return { status: 529, headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify(error)] };
  }
  const { usage, reasoning = '', text = '', toolCalls = [] } = reply;
  const input = (usage?.promptTokens ?? 0) - (usage?.cachedTokens ?? 0);
  const start =
    usage === undefined
      ? {}
      : { usage: { input_tokens: input, cache_read_input_tokens: usage.cachedTokens, output_tokens: 1 } };
  const end = usage === undefined ? {} : { usage: { output_tokens: usage.completionTokens } };
  return {
    pieces: [
      event('message_start', {
        message: { type: 'message', role: 'assistant', content: [], stop_reason: null, ...start },
      }),
      event('ping'),
      ...(reasoning === ''
        ? []
        : block(
            0,
            { type: 'thinking', thinking: '' },
            threes(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
          )),
      ...(text === ''
        ? []
        : block(
            1,
            { type: 'text', text: '' },
            threes(text).map((piece) => ({ type: 'text_delta', text: piece })),
          )),
      ...toolCalls.flatMap((call, nth) =>
        block(
          2 + nth,
          { type: 'tool_use', name: call.name, input: {}, ...(call.id === undefined ? {} : { id: call.id }) },
          threes(call.arguments).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ),
      ),
      event('message_delta', {
        delta: { stop_reason: toolCalls.length > 0 ? 'tool_use' : 'end_turn' },
        ...end,
      }),
      event('message_stop'),
    ],
  };
}

describeModelContract('anthropic', {
  knows: { missingIds: true, usage: false },
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

describe('anthropic adapter', () => {
  let provider: LoopbackProvider;
  beforeEach(async () => {
    provider = await startLoopbackProvider();
  });
  afterEach(() => provider.close());

  const base = { agentName: 'lead', turnIndex: 1, step: 1, tokens: 1, createdAtMs: 0 };
  const history: readonly Message[] = [
    ...QUESTION,
    {
      ...base,
      id: 'm2',
      role: 'assistant',
      ending: 'tool-calls',
      parts: [
        { type: 'reasoning', text: 'signed thought', signature: 'c2ln' },
        { type: 'reasoning', text: '', signature: 'redacted:b3BhcXVl' },
        { type: 'tool-call', toolCallId: 'call:1', name: 'search', arguments: '{"q":"M 77"}' },
        { type: 'tool-call', toolCallId: 'call:2', name: 'search', arguments: 'no json' },
      ],
    },
    {
      ...base,
      id: 'm3',
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId: 'call:1', name: 'search', status: 'ok', text: 'found' }],
    },
    {
      ...base,
      id: 'm4',
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId: 'call:2', name: 'search', status: 'error', text: 'bad' }],
    },
    { ...base, id: 'm5', role: 'user', kind: 'nudge', parts: [{ type: 'text', text: 'Be short.' }] },
  ];

  async function sent(overrides: Parameters<typeof requestOf>[0] = {}) {
    provider.answer(answerOf({ text: 'Yes.' }));
    await eventsOf(modelAt(provider.baseUrl), requestOf({ messages: history, ...overrides }));
    const request = provider.requests.at(-1);
    return { headers: request?.headers, path: request?.path, body: request?.body as Record<string, unknown> };
  }

  it('sends the system prompt apart, results first, and two of one role as one message', async () => {
    const { headers, path, body } = await sent({ purpose: 'summary', maxOutputTokens: 500 });
    expect(path).toBe('/v1/messages');
    expect(headers).toMatchObject({
      'x-api-key': 'sk-ant-test-0123456789',
      'anthropic-version': '2023-06-01',
      'x-astroresearch-purpose': 'summary',
    });
    expect(body).toMatchObject({
      model: 'test-model',
      max_tokens: 500,
      stream: true,
      tools: [{ name: 'search', input_schema: { type: 'object' } }],
    });
    expect(body.system).toEqual([
      { type: 'text', text: 'You are a researcher.', cache_control: { type: 'ephemeral' } },
    ]);
    const messages = body.messages as { role: string; content: { type: string }[] }[];
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[2]?.content.map(({ type }) => type)).toEqual(['tool_result', 'tool_result', 'text']);
    expect(messages[2]?.content[1]).toMatchObject({ is_error: true });
    expect(messages[2]?.content.at(-1)).toMatchObject({ cache_control: { type: 'ephemeral' } });
  });

  it('sends signed thoughts back byte for byte, and ids and arguments that the API takes', async () => {
    const { body } = await sent();
    const [, assistant] = body.messages as { content: Record<string, unknown>[] }[];
    expect(assistant?.content).toEqual([
      { type: 'thinking', thinking: 'signed thought', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      { type: 'tool_use', id: 'call_1', name: 'search', input: { q: 'M 77' } },
      { type: 'tool_use', id: 'call_2', name: 'search', input: { invalid_json: 'no json' } },
    ]);
  });

  it('keeps the tools where none may be used, so that the cached prefix stays', async () => {
    expect((await sent({ toolChoice: 'none' })).body).toMatchObject({
      tool_choice: { type: 'none' },
      tools: [{ name: 'search' }],
    });
  });

  it('gives signatures and redacted thoughts as they came', async () => {
    const signed = block(0, { type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: 'hm' },
      { type: 'signature_delta', signature: 'c2ln' },
    ]);
    const redacted = block(1, { type: 'redacted_thinking', data: 'b3BhcXVl' }, []);
    const said = block(2, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Yes.' }]);
    provider.answer({
      pieces: [
        ...signed,
        ...redacted,
        ...said,
        event('message_delta', { delta: { stop_reason: 'end_turn' } }),
        event('message_stop'),
      ],
    });
    const events = await eventsOf(modelAt(provider.baseUrl));
    expect(events.filter(({ type }) => type === 'reasoning')).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'reasoning', text: '', signature: 'c2ln' },
      { type: 'reasoning', text: '', signature: 'redacted:b3BhcXVl' },
    ]);
  });

  const ended = event('message_delta', { delta: { stop_reason: 'tool_use' } });

  it('joins a signature that comes in pieces, so that it goes back as one', async () => {
    const pieces = [{ type: 'thinking_delta', thinking: 'hm' }, ...['c2', 'ln'].map(signed)];
    const said = block(1, { type: 'text', text: 'Yes.' }, []);
    provider.answer({ pieces: [...block(0, { type: 'thinking' }, pieces), ...said, ended] });
    const events = await eventsOf(modelAt(provider.baseUrl));
    expect(events.slice(0, 3)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'reasoning', text: '', signature: 'c2ln' },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  it.each([
    ['a text', '{"q":1}', '{"q":1}'],
    ['a list', ['q'], '["q"]'],
    ['nothing', null, ''],
  ])('keeps an input that came as %s', async (_, input, written) => {
    const call = { type: 'tool_use', id: 't1', name: 'search', input };
    provider.answer({ pieces: [...block(0, call, []), ended, event('message_stop')] });
    const events = await eventsOf(modelAt(provider.baseUrl));
    expect(events[0]).toMatchObject({ type: 'tool-call', call: { arguments: written } });
  });

  it('ends with the sign of the other dialect too', async () => {
    provider.answer({ pieces: [...block(0, { type: 'text', text: 'Yes.' }, []), ended, 'data: [DONE]\n\n'] });
    const events = await eventsOf(modelAt(provider.baseUrl));
    expect(events.map(({ type }) => type)).toEqual(['text', 'finish']);
  });

  it('counts what was read from the cache and written to it as part of the prompt', async () => {
    const start = {
      message: {
        type: 'message',
        content: [],
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 700,
          cache_creation_input_tokens: 90,
          output_tokens: 1,
        },
      },
    };
    const said = block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Yes.' }]);
    const end = event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } });
    provider.answer({ pieces: [event('message_start', start), ...said, end, event('message_stop')] });
    expect(await eventsOf(modelAt(provider.baseUrl))).toContainEqual({
      type: 'usage',
      usage: {
        promptTokens: 800,
        completionTokens: 5,
        cachedTokens: 700,
        reasoningTokens: 0,
        estimated: false,
      },
    });
  });

  it.each([
    [
      'an error in the stream',
      event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
      'overloaded',
    ],
    ['a stream that breaks off', event('message_start', { message: { content: [] } }), 'network'],
    ['a refusal of the request', null, 'context_too_long'],
  ])('gives a typed failure for %s', async (_, piece, kind) => {
    const body = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' },
    };
    provider.answer(
      piece === null
        ? { status: 400, headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify(body)] }
        : { pieces: [piece] },
    );
    expect((await eventsOf(modelAt(provider.baseUrl))).at(-1)).toMatchObject({
      type: 'failure',
      failure: { kind },
    });
  });

  it('reads an answer that came whole', async () => {
    const content = [
      { type: 'text', text: 'Yes.' },
      { type: 'tool_use', id: 't1', name: 'search', input: { q: 1 } },
    ];
    const whole = {
      type: 'message',
      content,
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 2 },
    };
    provider.answer({ headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify(whole)] });
    const events = await eventsOf(modelAt(provider.baseUrl));
    expect(events.map(({ type }) => type)).toEqual(['text', 'tool-call', 'usage', 'finish']);
    expect(events[1]).toMatchObject({ call: { toolCallId: 't1', arguments: '{"q":1}' } });
  });
});
