/** What a chat completion request says, to the letter. */
import type { Message } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from './language-model.ts';
import { QUESTION, requestOf } from './model.contract.ts';
import { openAiRequestBody } from './openai-messages.ts';

const BASE = { agentName: 'main', turnIndex: 0, step: 0, tokens: 1, createdAtMs: 0 };
const call = (name: string, text: string) =>
  ({ type: 'tool-call', toolCallId: `id-${name}`, name, arguments: text }) as const;

function assistant(parts: Extract<Message, { role: 'assistant' }>['parts']): Message {
  return { ...BASE, id: 'm2', role: 'assistant', parts, ending: 'stop' };
}
function bodyOf(overrides: Partial<ModelRequest> = {}) {
  return JSON.parse(openAiRequestBody(requestOf(overrides), 'a-model', 'max_tokens').json);
}
const wireOf = (message: Message) => bodyOf({ messages: [message] }).messages[0];

describe('openai request', () => {
  it('sends null for the content of a message that only calls', () => {
    expect(wireOf(assistant([call('search', '{"q":1}')]))).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'id-search', type: 'function', function: { name: 'search', arguments: '{"q":1}' } }],
    });
  });

  it('sends no tool_calls where there are none, and never reasoning', () => {
    const message = assistant([
      { type: 'reasoning', text: 'Secret thoughts.', signature: 's' },
      { type: 'text', text: 'Yes.' },
    ]);
    expect(wireOf({ ...message, raw: { reasoning_content: 'Secret thoughts.' } } as Message)).toEqual({
      role: 'assistant',
      content: 'Yes.',
    });
  });

  it('sends a result as text under the id of its call', () => {
    const result: Message = {
      ...BASE,
      id: 'm3',
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId: 'id-a', name: 'a', status: 'error', text: 'No such file.' }],
    };
    expect(wireOf(result)).toEqual({ role: 'tool', tool_call_id: 'id-a', content: 'No such file.' });
  });

  it.each([
    ['keeps JSON, to the letter', '{"a": 1 ,"a":2}', '{"a": 1 ,"a":2}'],
    ['makes no arguments an empty object', '', '{}'],
    ['wraps what is not JSON', '{"a":"half', '{"invalid_json":"{\\"a\\":\\"half"}'],
  ])('%s in arguments', (_claim, written, sent) => {
    expect(wireOf(assistant([call('a', written)])).tool_calls[0].function.arguments).toBe(sent);
  });

  it('sends a name that the model made up in letters that providers take', () => {
    const names = ['functions.search:0', '', '搜'].map(
      (name) => wireOf(assistant([call(name, '{}')])).tool_calls[0].function.name,
    );
    expect(names).toEqual(['functions_search_0', 'unknown_tool', '_']);
  });

  it('keeps the tool list when no tool may be called', () => {
    const auto = bodyOf();
    expect(bodyOf({ toolChoice: 'none' })).toEqual({ ...auto, tool_choice: 'none' });
    expect(bodyOf({ toolChoice: 'none', tools: [] })).not.toHaveProperty('tool_choice');
  });

  it('never asks for thinking', () => {
    expect(bodyOf({ enableThinking: true })).toEqual(bodyOf());
  });

  it('begins with the same bytes when messages are added, so that the prefix stays cached', () => {
    const json = (messages: readonly Message[]) =>
      openAiRequestBody(requestOf({ messages }), 'a-model', 'max_tokens').json;
    const short = json(QUESTION);
    const prefix = short.slice(0, short.indexOf('],"tools"'));
    expect(json([...QUESTION, assistant([{ type: 'text', text: 'Yes.' }])]).startsWith(prefix)).toBe(true);
  });

  it('calls the limit what the provider calls it', () => {
    const { json } = openAiRequestBody(requestOf({ maxOutputTokens: 9 }), 'a-model', 'max_completion_tokens');
    expect(JSON.parse(json)).toMatchObject({ max_completion_tokens: 9 });
  });

  it('tells the ids of all calls in it', () => {
    const messages = [...QUESTION, assistant([call('a', '{}'), call('b', '{}')])];
    const { toolCallIds } = openAiRequestBody(requestOf({ messages }), 'a-model', 'max_tokens');
    expect(toolCallIds).toEqual(new Set(['id-a', 'id-b']));
  });

  it('replaces halves of surrogate pairs and leaves text that only looks like one', () => {
    const text = 'half \ud83d, whole 🔭, written \\ud83d';
    const message: Message = { ...BASE, id: 'm1', role: 'user', parts: [{ type: 'text', text }] };
    expect(wireOf(message).content).toBe('half \ufffd, whole 🔭, written \\ud83d');
  });

  it('asks dashscope for thinking, or refuses it, by name; nobody else is asked', () => {
    const sent = (dialect: 'openai' | 'dashscope' | 'deepseek', enableThinking: boolean) =>
      JSON.parse(openAiRequestBody(requestOf({ enableThinking }), 'm', 'max_tokens', dialect).json)
        .enable_thinking;
    expect([
      sent('dashscope', true),
      sent('dashscope', false),
      sent('openai', true),
      sent('deepseek', true),
    ]).toEqual([true, false, undefined, undefined]);
  });

  it('sends thoughts back byte for byte to deepseek, with the calls that they led to, and to nobody else', () => {
    const thought = 'First: look at \u4e2d\n "quoted"';
    const base = {
      agentName: 'lead',
      turnIndex: 1,
      step: 1,
      tokens: 1,
      createdAtMs: 0,
      role: 'assistant' as const,
    };
    const call = { type: 'tool-call' as const, toolCallId: 'c1', name: 'look', arguments: '{}' };
    const reasoning = { type: 'reasoning' as const, text: thought };
    const messages = [
      { ...base, id: 'm1' as const, parts: [reasoning, call], ending: 'tool-calls' as const },
      {
        ...base,
        id: 'm2' as const,
        parts: [reasoning, { type: 'text' as const, text: 'Done.' }],
        ending: 'stop' as const,
      },
    ];
    const sent = (dialect: 'openai' | 'dashscope' | 'deepseek') =>
      JSON.parse(openAiRequestBody(requestOf({ messages }), 'm', 'max_tokens', dialect).json).messages as {
        reasoning_content?: string;
      }[];
    expect(sent('deepseek').map((message) => message.reasoning_content)).toEqual([thought, undefined]);
    for (const dialect of ['openai', 'dashscope'] as const)
      expect(JSON.stringify(sent(dialect))).not.toContain('First');
  });
});
