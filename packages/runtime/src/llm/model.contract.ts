/** The suite that every `LanguageModel` passes: the contract of the port, as tests. */
import { getEventListeners } from 'node:events';
import type { Message, Usage } from '@astroresearch/core';
import { afterEach, describe, expect, it } from 'vitest';
import type { LanguageModel, ModelEvent, ModelRequest } from './language-model.ts';

export type ContractReply = {
  readonly reasoning?: string;
  readonly text?: string;
  readonly toolCalls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly arguments: string;
  }[];
  readonly usage?: Usage;
};

type ModelUnderTest = {
  readonly model: LanguageModel;
  /** Resolves when the model holds nothing open any more for its last request. */
  released(): Promise<void>;
  close(): Promise<void>;
};

export type ModelFixture = {
  /** A model that gives these replies, one a request of `requestOf`; `'failure'`: the call fails. */
  give(replies: readonly (ContractReply | 'failure')[]): Promise<ModelUnderTest>;
  /** Whether a reply can come without ids of calls, or report usage, at all. */
  readonly knows: { readonly missingIds: boolean; readonly usage: boolean };
};

/** The first request of a session: a system message and a question. */
export function requestOf(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    purpose: 'turn',
    model: 'test-model',
    messages: QUESTION,
    tools: [{ name: 'search', description: 'Finds papers.', parameters: { type: 'object' } }],
    toolChoice: 'auto',
    enableThinking: false,
    ...overrides,
  };
}

const BASE = { agentName: 'main', turnIndex: 0, step: 0, tokens: 5, createdAtMs: 0 };
export const QUESTION: readonly Message[] = Object.freeze([
  { ...BASE, id: 'm0', role: 'system', parts: [{ type: 'text', text: 'You are a researcher.' }] },
  { ...BASE, id: 'm1', role: 'user', parts: [{ type: 'text', text: '星系 NGC 1068 有多远?🔭' }] },
] satisfies readonly Message[]);

/** All events of one request; `onEvent` may abort. */
export async function eventsOf(
  model: LanguageModel,
  request: ModelRequest = requestOf(),
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: ModelEvent, nth: number) => void = () => {},
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) {
    events.push(event);
    onEvent(event, events.length);
  }
  return events;
}

/** Events with their deltas joined: where a text is cut is the provider's affair. */
export function joined(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const list: ModelEvent[] = [];
  for (const event of events) {
    const last = list.at(-1);
    const goesOn = event.type === 'text' || event.type === 'reasoning';
    if (goesOn && last?.type === event.type)
      list[list.length - 1] = { ...last, text: last.text + event.text };
    else list.push(event);
  }
  return list;
}

const isEnd = (event: ModelEvent) => event.type === 'finish' || event.type === 'failure';

const RICH: ContractReply = {
  reasoning: 'Let me think about 距离. 🤔',
  text: 'NGC 1068 is 14.4 Mpc away 🌌.',
  toolCalls: [
    { id: 'a', name: 'search', arguments: '{"query":"NGC 1068"}' },
    { id: 'b', name: 'search', arguments: '{"query":"距离"}' },
  ],
};

export function describeModelContract(name: string, fixture: ModelFixture): void {
  describe(`${name} keeps the contract of the model port`, () => {
    const open: ModelUnderTest[] = [];
    const give = async (...replies: readonly (ContractReply | 'failure')[]) => {
      const subject = await fixture.give(replies);
      open.push(subject);
      return subject;
    };
    afterEach(async () => {
      for (const subject of open.splice(0)) await subject.close();
    });

    it('gives reasoning, text and calls in order, then one finish', async () => {
      const { model } = await give(RICH);
      const events = joined(await eventsOf(model)).filter((event) => event.type !== 'usage');
      expect(events).toMatchObject([
        { type: 'reasoning', text: RICH.reasoning },
        { type: 'text', text: RICH.text },
        { type: 'tool-call', call: { toolCallId: 'a', name: 'search', arguments: '{"query":"NGC 1068"}' } },
        { type: 'tool-call', call: { toolCallId: 'b', name: 'search', arguments: '{"query":"距离"}' } },
        { type: 'finish', reason: 'tool-calls' },
      ]);
    });

    it('finishes a plain answer with stop', async () => {
      const { model } = await give({ text: 'Yes.' });
      const events = joined(await eventsOf(model)).filter((event) => event.type !== 'usage');
      expect(events).toMatchObject([
        { type: 'text', text: 'Yes.' },
        { type: 'finish', reason: 'stop' },
      ]);
    });

    it('leaves arguments as the model wrote them, also where they are no object', async () => {
      const written = ['null', '"{\\"query\\":\\"twice\\"}"', '{"a":1} and more', '[]', '{"__proto__":{}}'];
      const { model } = await give({
        toolCalls: written.map((text, place) => ({ id: `c${place}`, name: 'search', arguments: text })),
      });
      const calls = (await eventsOf(model)).flatMap((event) =>
        event.type === 'tool-call' ? [event.call] : [],
      );
      expect(calls.map((call) => call.arguments)).toEqual(written);
    });

    it('ends a failed call with one failure and no finish', async () => {
      const { model } = await give('failure');
      const events = await eventsOf(model);
      expect(events.filter(isEnd).map((event) => event.type)).toEqual(['failure']);
      expect(events.at(-1)?.type).toBe('failure');
    });

    it('answers one request after the other', async () => {
      const { model } = await give({ text: 'One.' }, { text: 'Two.' });
      const first = await eventsOf(model);
      const messages: readonly Message[] = [
        ...QUESTION,
        { ...BASE, id: 'm2', role: 'assistant', parts: [{ type: 'text', text: 'One.' }], ending: 'stop' },
        { ...BASE, id: 'm3', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
      ];
      const second = await eventsOf(model, requestOf({ messages }));
      expect(joined(first)[0]).toEqual({ type: 'text', text: 'One.' });
      expect(joined(second)[0]).toEqual({ type: 'text', text: 'Two.' });
    });

    it('reads messages that can be gone through only once', async () => {
      const { model } = await give({ text: 'Yes.' });
      const events = await eventsOf(model, requestOf({ messages: QUESTION.values() }));
      expect(events.at(-1)).toMatchObject({ type: 'finish' });
    });

    it('gives no event when the signal is aborted beforehand', async () => {
      const { model } = await give(RICH);
      expect(await eventsOf(model, requestOf(), AbortSignal.abort())).toEqual([]);
    });

    it('ends without finish or failure wherever it is aborted, and lets go', async () => {
      const { model: whole } = await give(RICH);
      const all = await eventsOf(whole);
      for (let at = 1; at < all.length; at++) {
        const { model, released } = await give(RICH);
        const controller = new AbortController();
        const events = await eventsOf(model, requestOf(), controller.signal, (_event, nth) => {
          if (nth === at) controller.abort();
        });
        expect(joined(events)).toEqual(joined(all.slice(0, at)));
        expect(events.some(isEnd)).toBe(false);
        await released();
      }
    });

    it('leaves nothing on the signal behind a call', async () => {
      const { model } = await give(RICH, 'failure');
      const { signal } = new AbortController();
      await eventsOf(model, requestOf(), signal);
      await eventsOf(model, requestOf(), signal);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });

    it('lets go when the reader walks away', async () => {
      const { model, released } = await give(RICH);
      for await (const event of model.stream(requestOf(), new AbortController().signal)) {
        expect(isEnd(event)).toBe(false);
        break;
      }
      await released();
    });

    if (fixture.knows.missingIds) {
      it('gives ids of their own to calls whose id is missing, empty or repeated', async () => {
        const call = { name: 'search', arguments: '{}' };
        const { model } = await give({
          toolCalls: [call, { ...call, id: '' }, { ...call, id: 'same' }, { ...call, id: 'same' }],
        });
        const events = await eventsOf(model);
        const ids = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.toolCallId] : []));
        expect(ids).toHaveLength(4);
        expect(new Set(ids).size).toBe(4);
        expect(ids).not.toContain('');
        expect(ids[2]).toBe('same');
      });
    }

    if (fixture.knows.usage) {
      it('reports usage once, before the finish', async () => {
        const usage: Usage = {
          promptTokens: 120,
          completionTokens: 8,
          cachedTokens: 100,
          reasoningTokens: 3,
          estimated: false,
        };
        const { model } = await give({ text: 'Yes.', usage });
        const events = await eventsOf(model);
        expect(events.filter((event) => event.type === 'usage')).toEqual([{ type: 'usage', usage }]);
        expect(events.at(-2)?.type).toBe('usage');
      });
    }
  });
}
