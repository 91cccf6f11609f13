/** What the recorded model promises beyond the port's contract. */
import type { AssistantMessage, Message } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import {
  type ContractReply,
  describeModelContract,
  eventsOf,
  QUESTION,
  requestOf,
} from './model.contract.ts';
import { createRecordedModel } from './recorded-model.ts';

const BASE = { agentName: 'main', turnIndex: 0, step: 0, tokens: 5, createdAtMs: 0 };

function assistant(reply: ContractReply, id: Message['id'] = 'm2'): AssistantMessage {
  const calls = reply.toolCalls ?? [];
  return {
    ...BASE,
    id,
    role: 'assistant',
    ending: calls.length > 0 ? 'tool-calls' : 'stop',
    parts: [
      ...(reply.reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reply.reasoning }]),
      ...(reply.text === undefined ? [] : [{ type: 'text' as const, text: reply.text }]),
      ...calls.map((call) => ({
        type: 'tool-call' as const,
        toolCallId: call.id ?? '',
        name: call.name,
        arguments: call.arguments,
      })),
    ],
  };
}

const question = (id: Message['id']): Message => ({
  ...BASE,
  id,
  role: 'user',
  parts: [{ type: 'text', text: 'And?' }],
});

describeModelContract('recorded', {
  knows: { missingIds: false, usage: false },
  give: async (replies) => {
    const record: Message[] = [...QUESTION];
    replies.forEach((reply, nth) => {
      if (reply === 'failure') return;
      if (nth > 0) record.push(question(`m${2 * nth + 1}`));
      record.push(assistant(reply, `m${2 * nth + 2}`));
    });
    return { model: createRecordedModel(record), released: async () => {}, close: async () => {} };
  },
});

describe('recorded model', () => {
  const called = assistant({ toolCalls: [{ id: 'a', name: 'search', arguments: '{}' }] });
  const result: Message = {
    ...BASE,
    id: 'm3',
    role: 'tool',
    parts: [{ type: 'tool-result', toolCallId: 'a', name: 'search', status: 'ok', text: 'Nothing.' }],
  };
  const record: readonly Message[] = [...QUESTION, called, result, assistant({ text: 'None.' }, 'm4')];

  it('replays a session step by step, whatever the texts are now', async () => {
    const model = createRecordedModel(record);
    const first = await eventsOf(model);
    const otherText: Message = { ...result, parts: [{ ...result.parts[0], text: 'Three papers.' }] };
    const second = await eventsOf(model, requestOf({ messages: [...QUESTION, called, otherText] }));
    expect(first).toEqual([
      { type: 'tool-call', call: called.parts[0] },
      { type: 'finish', reason: 'tool-calls' },
    ]);
    expect(second).toEqual([
      { type: 'text', text: 'None.' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('names the place where a request leaves the record', async () => {
    const model = createRecordedModel(record);
    await eventsOf(model);
    const stray: Message = { ...result, parts: [{ ...result.parts[0], name: 'read_file' }] };
    const [event] = await eventsOf(model, requestOf({ messages: [...QUESTION, called, stray] }));
    expect(event).toMatchObject({
      type: 'failure',
      failure: {
        kind: 'bad_request',
        message: expect.stringContaining(
          'at message 4 (m3): the record has result of search#a, the request result of read_file#a',
        ),
      },
    });
  });

  it('names a message that is missing, and one that is too many', async () => {
    const short = createRecordedModel(record);
    await eventsOf(short);
    const [missing] = await eventsOf(short, requestOf({ messages: [...QUESTION, called] }));
    expect(missing).toMatchObject({ failure: { message: expect.stringContaining('the request nothing') } });
    const long = createRecordedModel(record);
    const [extra] = await eventsOf(long, requestOf({ messages: [...QUESTION, question('m2')] }));
    expect(extra).toMatchObject({ failure: { message: expect.stringContaining('the record has nothing') } });
  });

  it('compares nothing when told so', async () => {
    const model = createRecordedModel(record, { compare: 'none' });
    await eventsOf(model, requestOf({ messages: [] }));
    expect(await eventsOf(model, requestOf({ messages: [] }))).toMatchObject([
      { text: 'None.' },
      { type: 'finish' },
    ]);
  });

  it('says how many replies the record has when it runs out', async () => {
    const model = createRecordedModel(QUESTION);
    expect(await eventsOf(model)).toMatchObject([
      { failure: { message: expect.stringContaining('The record has 0 replies and this is request 1') } },
    ]);
  });

  it('hands the provider’s own message on, and signatures with their thoughts', async () => {
    const raw = { role: 'assistant', content: 'Hm.' };
    const thought = { type: 'reasoning', text: 'Think.', signature: 'c2ln' } as const;
    const message: AssistantMessage = {
      ...assistant({}),
      ending: 'length',
      raw,
      parts: [thought, { type: 'text', text: 'Hm.' }],
    };
    const model = createRecordedModel([...QUESTION, message]);
    expect(await eventsOf(model)).toEqual([
      thought,
      { type: 'text', text: 'Hm.' },
      { type: 'finish', reason: 'length', raw },
    ]);
  });
});
