/** What a reply amounts to: usage, why it ended, which calls of it count. */
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from './language-model.ts';
import { createOpenAiReply, type StreamEnd } from './openai-chunks.ts';

function replyTo(chunks: readonly unknown[], end: StreamEnd = 'done', maxOutputTokens?: number) {
  let count = 0;
  const reply = createOpenAiReply({
    ids: () => `new-${++count}`,
    takenIds: new Set(),
    maxOutputTokens,
    secrets: ['sk-secret-1'],
  });
  return [...chunks.flatMap((chunk) => reply.accept(chunk)), ...reply.end(end)];
}
const delta = (fields: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});
const calling = (index: number, text: string) =>
  delta({ tool_calls: [{ index, id: `id-${index}`, function: { name: 'search', arguments: text } }] });
const usage = (fields: unknown) => ({ choices: [], usage: fields });
const of = (events: readonly ModelEvent[], type: ModelEvent['type']) =>
  events.filter((event) => event.type === type);
const reasonOf = (events: readonly ModelEvent[]) => of(events, 'finish');

describe('usage', () => {
  it('is the last one that can be read, reported once', () => {
    const events = replyTo([
      { ...delta({ content: 'a' }), usage: { prompt_tokens: 10, completion_tokens: 1 } },
      { ...delta({ content: 'b' }), usage: null },
      usage({ prompt_tokens: 10, completion_tokens: 2 }),
      usage({ prompt_tokens: 0, completion_tokens: 0 }),
    ]);
    expect(of(events, 'usage')).toMatchObject([{ usage: { promptTokens: 10, completionTokens: 2 } }]);
  });

  it('may stand in the choice', () => {
    const events = replyTo([{ choices: [{ delta: {}, usage: { prompt_tokens: 3, completion_tokens: 1 } }] }]);
    expect(of(events, 'usage')).toMatchObject([{ usage: { promptTokens: 3 } }]);
  });

  it.each([
    ['cached within the prompt', { prompt_tokens_details: { cached_tokens: 4 } }, 4, 0],
    ['cached in the words of DeepSeek', { prompt_cache_hit_tokens: 5 }, 5, 0],
    ['cached beyond the prompt', { prompt_tokens_details: { cached_tokens: 900 } }, 10, 0],
    ['reasoning', { completion_tokens_details: { reasoning_tokens: 2 } }, 0, 2],
    ['reasoning beyond the output', { completion_tokens_details: { reasoning_tokens: 9 } }, 0, 6],
    ['details of the wrong type', { prompt_tokens_details: 7, completion_tokens_details: [] }, 0, 0],
  ])('knows %s', (_what, details, cachedTokens, reasoningTokens) => {
    const events = replyTo([usage({ prompt_tokens: 10, completion_tokens: 6, ...details })]);
    expect(of(events, 'usage')).toEqual([
      {
        type: 'usage',
        usage: { promptTokens: 10, completionTokens: 6, cachedTokens, reasoningTokens, estimated: false },
      },
    ]);
  });

  it.each([
    ['a text', { prompt_tokens: '10', completion_tokens: 6 }],
    ['a negative number', { prompt_tokens: 10, completion_tokens: -6 }],
    ['a fraction', { prompt_tokens: 10.5, completion_tokens: 6 }],
    ['one half of it', { prompt_tokens: 10 }],
    ['two zeros', { prompt_tokens: 0, completion_tokens: 0 }],
    ['a list', [10, 6]],
  ])('is absent where it is %s', (_what, value) => {
    expect(of(replyTo([usage(value)]), 'usage')).toEqual([]);
  });
});

describe('the end', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['content_filter', 'content-filter'],
    ['sensitive', 'content-filter'],
    ['eos_token', 'stop'],
    ['tool_calls', 'stop'],
    ['function_call', 'stop'],
  ])('finish_reason %s without calls is %s', (said, reason) => {
    expect(reasonOf(replyTo([delta({ content: 'a' }, said)]))).toMatchObject([{ reason }]);
  });

  it.each([
    ['stop', 'tool-calls'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['something new', 'tool-calls'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
  ])('finish_reason %s with a call is %s', (said, reason) => {
    expect(reasonOf(replyTo([calling(0, '{}'), delta({}, said)]))).toMatchObject([{ reason }]);
  });

  it.each([
    ['error', 'server_error'],
    ['network_error', 'network'],
    ['insufficient_system_resource', 'overloaded'],
  ])('finish_reason %s is a failure', (said, kind) => {
    const events = replyTo([
      delta({ content: 'a' }, said),
      usage({ prompt_tokens: 3, completion_tokens: 1 }),
    ]);
    expect(events.map((event) => event.type)).toEqual(['text', 'usage', 'failure']);
    expect(events.at(-1)).toMatchObject({ failure: { kind } });
  });

  it('gives only complete calls of a reply that was cut', () => {
    const events = replyTo([calling(0, '{"q":1}'), calling(1, '{"q":'), delta({}, 'length')]);
    expect(of(events, 'tool-call')).toMatchObject([{ call: { toolCallId: 'id-0' } }]);
    expect(reasonOf(events)).toMatchObject([{ reason: 'length', raw: { tool_calls: [{ id: 'id-0' }] } }]);
  });

  it('gives all calls of a reply that was not, complete or not', () => {
    const events = replyTo([calling(0, '{"q":'), delta({}, 'tool_calls')]);
    expect(of(events, 'tool-call')).toMatchObject([{ call: { arguments: '{"q":' } }]);
    expect(reasonOf(events)).toMatchObject([{ reason: 'tool-calls' }]);
  });

  it('is length when calls used all the tokens there were, whatever is said', () => {
    const chunks = [
      calling(0, '{}'),
      delta({}, 'tool_calls'),
      usage({ prompt_tokens: 9, completion_tokens: 50 }),
    ];
    expect(reasonOf(replyTo(chunks, 'done', 50))).toMatchObject([{ reason: 'length' }]);
    expect(reasonOf(replyTo(chunks, 'done', 51))).toMatchObject([{ reason: 'tool-calls' }]);
  });

  it('is length when a stream ends without a reason in the middle of arguments', () => {
    const events = replyTo([calling(0, '{"path":"a","content":"half of')]);
    expect(events).toMatchObject([{ type: 'finish', reason: 'length' }]);
  });

  it('is a failure when a stream ends without any sign', () => {
    expect(replyTo([delta({ content: 'a' })], 'broken')).toMatchObject([
      { type: 'text' },
      { type: 'failure', failure: { kind: 'network' } },
    ]);
  });
});

describe('pieces', () => {
  it('come from a message that says all again only where nothing came before', () => {
    const whole = (finish_reason: string) => ({
      choices: [{ message: { role: 'assistant', content: 'All.' }, finish_reason }],
    });
    expect(of(replyTo([delta({ content: 'All.' }), whole('stop')]), 'text')).toHaveLength(1);
    expect(of(replyTo([whole('stop')]), 'text')).toEqual([{ type: 'text', text: 'All.' }]);
  });

  it('come from the first choice only', () => {
    const two = { choices: [{ delta: { content: 'a' } }, { delta: { content: 'b' } }] };
    expect(of(replyTo([two]), 'text')).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('may be thoughts under either name, but not under both at once', () => {
    const events = replyTo([
      delta({ reasoning_content: 'a' }),
      delta({ reasoning: 'b' }),
      delta({ reasoning_content: 'c', reasoning: 'c' }),
    ]);
    expect(of(events, 'reasoning').map((event) => event.type === 'reasoning' && event.text)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('may be a refusal, or a list of texts', () => {
    const events = replyTo([
      delta({ refusal: 'I cannot.' }),
      delta({ content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] }),
    ]);
    expect(of(events, 'text')).toEqual([
      { type: 'text', text: 'I cannot.' },
      { type: 'text', text: 'ab' },
    ]);
  });

  it('may be arguments that are an object already', () => {
    const call = { index: 0, id: 'a', function: { name: 'search', arguments: { q: '距离' } } };
    expect(of(replyTo([delta({ tool_calls: [call] })]), 'tool-call')).toMatchObject([
      { call: { arguments: '{"q":"距离"}' } },
    ]);
  });

  it('are told apart by their place where several calls come without index', () => {
    const part = (text: string, name?: string) => ({ function: { name, arguments: text } });
    const events = replyTo([
      delta({ tool_calls: [part('{"q"', 'search'), part('{"q"', 'search')] }),
      delta({ tool_calls: [part(':1}'), part(':2}')] }),
    ]);
    expect(of(events, 'tool-call')).toMatchObject([
      { call: { arguments: '{"q":1}' } },
      { call: { arguments: '{"q":2}' } },
    ]);
  });

  it('are well-formed each, also with half a pair in the middle', () => {
    expect(of(replyTo([delta({ content: 'a\udc00b\ud83dc' })]), 'text')).toEqual([
      { type: 'text', text: 'a\ufffdb\ufffdc' },
    ]);
  });

  it('of an error do not show the key', () => {
    expect(JSON.stringify(replyTo([{ error: { message: 'Bad key sk-secret-1' } }]))).not.toContain(
      'sk-secret',
    );
  });
});
