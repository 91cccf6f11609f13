/** What the scripted model promises beyond the port's contract. */
import { describe, expect, it } from 'vitest';
import { describeModelContract, eventsOf, joined, requestOf } from './model.contract.ts';
import { createScriptedModel } from './scripted-model.ts';

describeModelContract('scripted', {
  knows: { missingIds: true, usage: true },
  give: async (replies) => ({
    model: createScriptedModel({
      replies: replies.map((reply) =>
        reply === 'failure'
          ? { failure: { kind: 'overloaded', message: 'Busy.' } }
          : { ...reply, chunkChars: 3 },
      ),
    }),
    released: async () => {},
    close: async () => {},
  }),
});

describe('scripted model', () => {
  it('says which request the script has no reply for', async () => {
    const model = createScriptedModel({ replies: [{ text: 'One.' }] });
    await eventsOf(model);
    expect(await eventsOf(model)).toEqual([
      {
        type: 'failure',
        failure: {
          kind: 'bad_request',
          message: 'The script has 1 replies for "turn" and this is request 2: add a reply.',
        },
      },
    ]);
  });

  it('keeps a script for each purpose, and says which purpose has none', async () => {
    const model = createScriptedModel({
      replies: [{ text: 'Turn.' }],
      repliesFor: { title: [{ text: 'Title.' }] },
    });
    const title = await eventsOf(model, requestOf({ purpose: 'title' }));
    const memory = await eventsOf(model, requestOf({ purpose: 'memory' }));
    const turn = await eventsOf(model);
    expect(title[0]).toEqual({ type: 'text', text: 'Title.' });
    expect(memory).toMatchObject([
      {
        type: 'failure',
        failure: { kind: 'bad_request', message: expect.stringContaining('repliesFor.memory') },
      },
    ]);
    expect(turn[0]).toEqual({ type: 'text', text: 'Turn.' });
    expect(model.requestsFor('memory')).toHaveLength(1);
    expect(model.requests.map((request) => request.purpose)).toEqual(['title', 'memory', 'turn']);
  });

  it('asks a function with the request and its number', async () => {
    const model = createScriptedModel({
      replies: async (request, nth) => ({ text: `${request.model} ${request.messages.length} ${nth}` }),
    });
    await eventsOf(model);
    expect(joined(await eventsOf(model))[0]).toEqual({ type: 'text', text: 'test-model 2 1' });
  });

  it('keeps requests as they were, whatever happens to the list afterwards', async () => {
    const messages = [...requestOf().messages];
    const model = createScriptedModel({ replies: [{ text: 'Yes.' }] });
    await eventsOf(model, requestOf({ messages }));
    messages.length = 0;
    expect(model.requests[0]?.messages).toHaveLength(2);
  });

  it('cuts text into pieces without splitting a character', async () => {
    const model = createScriptedModel({ replies: [{ text: '🔭🌌é', chunkChars: 1 }] });
    const texts = (await eventsOf(model)).flatMap((event) => (event.type === 'text' ? [event.text] : []));
    expect(texts).toEqual(['🔭', '🌌', 'é']);
  });

  it('fails behind what it said first', async () => {
    const failure = { kind: 'network', message: 'Broke off.' } as const;
    const model = createScriptedModel({ replies: [{ text: 'Half an ans', failure }] });
    expect(await eventsOf(model)).toEqual([
      { type: 'text', text: 'Half an ans' },
      { type: 'failure', failure },
    ]);
  });

  it('hangs until the caller aborts, then ends with neither finish nor failure', async () => {
    const model = createScriptedModel({ replies: [{ text: 'Hm', hangs: true }] });
    const controller = new AbortController();
    const events: string[] = [];
    for await (const event of model.stream(requestOf(), controller.signal)) {
      events.push(event.type);
      queueMicrotask(() => controller.abort());
    }
    expect(events).toEqual(['text']);
  });

  it('ends on abort while a script function has not answered', async () => {
    const controller = new AbortController();
    const model = createScriptedModel({
      replies: () => {
        queueMicrotask(() => controller.abort());
        return new Promise(() => {});
      },
    });
    expect(await eventsOf(model, requestOf(), controller.signal)).toEqual([]);
  });

  it('never gives an id that the request already holds', async () => {
    const model = createScriptedModel({ replies: () => ({ toolCalls: [{ name: 'search' }] }) });
    const [first] = await eventsOf(model);
    const call = first?.type === 'tool-call' ? first.call : undefined;
    expect(call).toEqual({ type: 'tool-call', toolCallId: 'call_1', name: 'search', arguments: '{}' });
    const again = createScriptedModel({ replies: [{ toolCalls: [{ name: 'search' }] }] });
    const [system] = requestOf().messages;
    if (system === undefined || call === undefined) throw new Error('a message and a call are needed');
    const messages = [
      ...requestOf().messages,
      { ...system, id: 'm2', role: 'assistant', parts: [call], ending: 'tool-calls' } as const,
    ];
    expect(await eventsOf(again, requestOf({ messages }))).toMatchObject([
      { type: 'tool-call', call: { toolCallId: 'call_2' } },
      { type: 'finish' },
    ]);
  });
});
