import type { Message } from '@astroresearch/core';
import type { ModelEvent, ModelRequest, Purpose } from '@astroresearch/runtime';
import { describe, expect, it } from 'vitest';
import { createOfflineResearcher } from './offline-researcher.ts';

const base = { agentName: 'lead', turnIndex: 1, step: 1, tokens: 1, createdAtMs: 0 } as const;
const user = (id: number, text: string, kind?: 'nudge'): Message => ({
  ...base,
  id: `m${id}`,
  role: 'user',
  parts: [{ type: 'text', text }],
  ...(kind === undefined ? {} : { kind }),
});
const call = (id: number, name: string, given: unknown): Message => ({
  ...base,
  id: `m${id}`,
  role: 'assistant',
  ending: 'tool-calls',
  parts: [{ type: 'tool-call', toolCallId: `c${id}`, name, arguments: JSON.stringify(given) }],
});
const result = (id: number, of: number, name: string, text: string): Message => ({
  ...base,
  id: `m${id}`,
  role: 'tool',
  parts: [{ type: 'tool-result', toolCallId: `c${of}`, name, status: 'ok', text }],
});

const ALL_TOOLS = ['todo_write', 'search_papers', 'get_paper_metadata', 'resolve_target', 'export_bibtex'];

type Asked = {
  readonly purpose?: Purpose;
  readonly tools?: readonly string[];
  readonly toolChoice?: 'auto' | 'none';
  readonly signal?: AbortSignal;
};

async function ask(messages: readonly Message[], asked: Asked = {}): Promise<readonly ModelEvent[]> {
  const { purpose = 'turn', tools = ALL_TOOLS, toolChoice = 'auto', signal } = asked;
  const request: ModelRequest = {
    purpose,
    model: 'offline-researcher',
    messages,
    tools: tools.map((name) => ({ name, description: '', parameters: {} })),
    toolChoice,
    enableThinking: false,
  };
  const events: ModelEvent[] = [];
  const stream = createOfflineResearcher().stream(request, signal ?? new AbortController().signal);
  for await (const event of stream) events.push(event);
  return events;
}

const textIn = (events: readonly ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
const callsIn = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));

describe('the offline researcher', () => {
  it('says what it is, and that it writes no summaries', () => {
    expect(createOfflineResearcher()).toMatchObject({
      provider: 'offline',
      defaultModel: 'offline-researcher',
      summarises: false,
    });
  });

  it('gives the same events for the same messages', async () => {
    const messages = [user(1, 'NGC 1068 是否为中微子源？')];
    expect(await ask(messages)).toEqual(await ask(messages));
  });

  it('calls only tools that are offered', async () => {
    for (const tools of [
      ['search_papers'],
      ['resolve_target', 'todo_write'],
      ['search_papers', 'todo_write'],
    ]) {
      const names = callsIn(await ask([user(1, 'distance of NGC 1068')], { tools })).map(({ name }) => name);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(tools).toContain(name);
    }
  });

  it('gives calls ids that grow with the conversation', async () => {
    const ids = callsIn(await ask([user(7, 'distance of NGC 1068')])).map(({ toolCallId }) => toolCallId);
    expect(ids).toEqual(['offline_7_1', 'offline_7_2', 'offline_7_3']);
  });

  it('answers at once where tools are forbidden or missing', async () => {
    for (const asked of [{ toolChoice: 'none' as const }, { tools: [] }]) {
      const events = await ask([user(1, 'Hubble tension?')], asked);
      expect(callsIn(events)).toEqual([]);
      expect(textIn(events)).toMatch(/Offline researcher: no language model/);
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    }
  });

  it('answers from what earlier turns found where tools are forbidden', async () => {
    const found = {
      ok: true,
      data: {
        total: 1,
        shelf: { works: 1, newest: null },
        papers: [
          {
            id: '2602.22407',
            arxiv_id: '2602.22407',
            title: 'T',
            authors: ['Markham, M.'],
            year: 2026,
            snippet: 'It measures the distance.',
          },
        ],
      },
    };
    const messages = [
      user(1, 'distance of NGC 1068'),
      call(2, 'search_papers', { query: 'distance of NGC 1068' }),
      result(3, 2, 'search_papers', JSON.stringify(found)),
      user(4, 'What was the distance?'),
    ];
    const text = textIn(await ask(messages, { toolChoice: 'none' }));
    expect(text).toContain('(https://arxiv.org/abs/2602.22407)');
    expect(text).toMatch(/Nothing was searched in this step/);
  });

  it('says so where a result was cut or a tool failed, and does not ask for ever', async () => {
    const failed = JSON.stringify({ ok: false, error: { kind: 'timeout', message: 'It took too long.' } });
    const messages = [
      user(1, 'Hubble tension?'),
      call(2, 'search_papers', { query: 'Hubble tension?' }),
      result(3, 2, 'search_papers', '{"ok":true,"data":{"total":45,"pap'),
      call(4, 'search_papers', { query: 'Hubble' }),
      result(5, 4, 'search_papers', failed),
    ];
    const events = await ask(messages);
    expect(callsIn(events)).toEqual([]);
    expect(textIn(events)).toMatch(/`search_papers` was cut or cannot be read/);
    expect(textIn(events)).toMatch(/`search_papers`: It took too long\./);
  });

  it('takes what the engine wrote for no question', async () => {
    const messages = [user(1, 'distance of NGC 1068'), user(2, 'Keep your plan up to date.', 'nudge')];
    expect(callsIn(await ask(messages))[1]?.arguments).toContain('distance of NGC 1068');
  });

  it('ends within five replies whatever the tools say', async () => {
    const messages: Message[] = [user(1, 'NGC 1068 neutrinos')];
    let replies = 0;
    for (let calls = callsIn(await ask(messages)); ; calls = callsIn(await ask(messages))) {
      replies += 1;
      if (calls.length === 0) break;
      const id = messages.length + 1;
      messages.push({ ...base, id: `m${id}`, role: 'assistant', ending: 'tool-calls', parts: calls });
      for (const { toolCallId, name } of calls) {
        messages.push({
          ...base,
          id: `m${messages.length + 1}`,
          role: 'tool',
          parts: [{ type: 'tool-result', toolCallId, name, status: 'error', text: 'broken' }],
        });
      }
    }
    expect(replies).toBeLessThanOrEqual(5);
  });

  it('streams an answer in several pieces', async () => {
    const events = await ask([user(1, 'Hubble tension?')], { toolChoice: 'none' });
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
  });

  it('stops when it is told to', async () => {
    const stopped = new AbortController();
    stopped.abort();
    expect(await ask([user(1, 'Hubble tension?')], { signal: stopped.signal })).toEqual([]);
  });

  it('titles a session by its first words, keeps no memories, and refuses summaries', async () => {
    const messages = [user(1, 'How large is the Hubble tension, and which measurements disagree?')];
    expect(textIn(await ask(messages, { purpose: 'title' }))).toBe(
      'How large is the Hubble tension, and whi',
    );
    expect(textIn(await ask(messages, { purpose: 'memory' }))).toBe('[]');
    expect(await ask(messages, { purpose: 'summary' })).toMatchObject([
      { type: 'failure', failure: { kind: 'bad_request' } },
    ]);
  });
});
