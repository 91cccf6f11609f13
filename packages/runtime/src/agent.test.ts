/** A turn from outside, on the shipped fakes (runtime.md, A turn). */
import { brokenRules, textOf } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createInMemoryStore } from './store/in-memory.ts';
import { createTestAgent, dataOf, durable, echoTool, typesOf } from './testing/test-agent.ts';
import { defineTool, type Tool } from './tools/tool.ts';

const echo = (text: string, id: string) => ({ name: 'echo', arguments: { text }, id });
const lastTexts = (messages: Iterable<Parameters<typeof textOf>[0]>) => [...messages].map(textOf);

async function opened(options: Parameters<typeof createTestAgent>[0]) {
  const test = createTestAgent(options);
  const { sessionId } = await test.agent.createSession();
  return { ...test, sessionId };
}

describe('a turn', () => {
  it('goes from session to done, with every event in its place', async () => {
    const { ask, sessionId } = await opened({
      script: [{ text: 'Looking.', toolCalls: [echo('a', 'c1'), echo('b', 'c2')] }, { text: 'Found.' }],
    });
    const events = await ask(sessionId, 'Look it up');
    expect(typesOf(events)).toEqual([
      'session',
      'message',
      'message',
      'step',
      'message',
      'tool_call',
      'tool_call',
      'tool_result',
      'tool_result',
      'step',
      'message',
      'usage',
      'done',
    ]);
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'completed', message_id: 'm6' }]);
    expect(dataOf(events, 'tool_result').map((data) => [data.id, data.tool_call_id, data.status])).toEqual([
      ['c1', 'c1', 'ok'],
      ['c2', 'c2', 'ok'],
    ]);
    expect(dataOf(events, 'usage')).toMatchObject([{ steps: 2 }]);
  });

  it('sends valid requests, each an extension of the one before it', async () => {
    const { ask, model, sessionId } = await opened({
      script: [
        { toolCalls: [echo('a', 'c1')] },
        { text: 'One.' },
        { toolCalls: [echo('b', 'c1')] },
        { text: 'Two.' },
      ],
    });
    await ask(sessionId, 'First');
    await ask(sessionId, 'Second');
    const requests = model.requests.map((request) => request.messages);
    for (const messages of requests) expect(brokenRules(messages)).toEqual([]);
    requests.slice(1).forEach((messages, index) => {
      const before = requests[index] ?? [];
      expect(messages.slice(0, before.length)).toEqual(before);
    });
    expect(new Set(model.requests.map((request) => JSON.stringify(request.tools))).size).toBe(1);
  });

  it('gives a call whose id the session has used a new one', async () => {
    const { ask, sessionId } = await opened({
      script: [
        { toolCalls: [echo('a', 'same')] },
        { text: '1' },
        { toolCalls: [echo('b', 'same')] },
        { text: '2' },
      ],
    });
    await ask(sessionId, 'First');
    const second = await ask(sessionId, 'Second');
    const [call] = dataOf(second, 'tool_call');
    expect(call?.tool_call_id).not.toBe('same');
    expect(dataOf(second, 'tool_result')[0]?.tool_call_id).toBe(call?.tool_call_id);
  });

  it('asks for the answer without tools when the steps are used up, and says so', async () => {
    const { ask, model, sessionId } = await opened({
      script: [{ toolCalls: [echo('a', 'c1')] }, { toolCalls: [echo('b', 'c2')] }, { text: 'Out of steps.' }],
    });
    const events = await ask(sessionId, 'Go', { maxSteps: 2 });
    expect(model.requests.map((request) => request.toolChoice)).toEqual(['auto', 'auto', 'none']);
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'max_steps' }]);
    expect(lastTexts(model.requests[2]?.messages ?? []).at(-1)).toContain('<system-reminder>');
  });

  it('never runs a call that comes although no tools were offered', async () => {
    const { ask, sessionId } = await opened({
      script: [{ toolCalls: [echo('a', 'c1')] }, { text: 'Anyway.', toolCalls: [echo('b', 'c2')] }],
    });
    const events = await ask(sessionId, 'Go', { maxSteps: 1 });
    expect(dataOf(events, 'tool_call')).toHaveLength(1);
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'max_steps' }]);
  });

  it('never runs a tool of a reply that the output limit cut', async () => {
    const { ask, sessionId } = await opened({
      script: [{ toolCalls: [echo('a', 'c1')], finish: 'length' }, { text: 'next' }],
    });
    const events = await ask(sessionId, 'Go');
    expect(dataOf(events, 'tool_call')).toEqual([]);
    expect(dataOf(events, 'error')).toMatchObject([{ kind: 'output_truncated', retryable: false }]);
    expect(dataOf(await ask(sessionId, 'Again'), 'done')).toMatchObject([{ status: 'completed' }]);
  });

  it('keeps a long output whole and names its ref in what the model reads', async () => {
    const long = 'x'.repeat(3_000);
    const { ask, agent, sessionId } = await opened({
      script: [{ toolCalls: [echo(long, 'c1')] }, { text: 'Read.' }],
    });
    const events = await ask(sessionId, 'Go');
    const [result] = dataOf(events, 'tool_result');
    expect(result).toMatchObject({ truncated: true, ref: 'm4' });
    const stored = await agent.readMessages(sessionId, { agentName: 'lead', after: 'm3', limit: 1 });
    const [message] = stored ?? [];
    expect(message && textOf(message)).toContain('m4');
    expect(message?.role === 'tool' && message.fullOutput?.chars).toBe(3_000);
  });

  it('shows a failing model with kind and advice, and leaves the session usable', async () => {
    const { ask, sessionId, model } = await opened({
      script: [{ failure: { kind: 'auth', message: 'no such key' } }, { text: 'Back.' }],
    });
    const events = await ask(sessionId, 'Go');
    expect(dataOf(events, 'error')).toMatchObject([{ kind: 'auth', retryable: false }]);
    expect(String(dataOf(events, 'error')[0]?.message)).toContain('LLM_API_KEY');
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'failed' }]);
    expect(dataOf(await ask(sessionId, 'Again'), 'done')).toMatchObject([{ status: 'completed' }]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('no such key');
  });

  it('asks once more after an empty reply', async () => {
    const { ask, sessionId, model } = await opened({ script: [{ reasoning: 'hm' }, { text: 'Now.' }] });
    expect(dataOf(await ask(sessionId, 'Go'), 'done')).toMatchObject([{ status: 'completed' }]);
    expect(model.requests).toHaveLength(2);
  });

  it('keeps the plan and shows it at the next turn', async () => {
    const planTool = defineTool({
      name: 'plan',
      summary: { zh: '计划', en: 'Plans' },
      description: { zh: '计划', en: 'Plans' },
      input: z.object({}),
      effect: 'idempotent',
      ownState: true,
      execute: async () => ({
        text: 'planned',
        facts: [
          {
            type: 'tasks',
            tasks: [{ id: '1', content: 'fit the period', status: 'pending', blockedBy: [] }],
          },
        ],
      }),
    });
    const { ask, agent, sessionId, model } = await opened({
      tools: [planTool as Tool],
      script: [{ toolCalls: [{ name: 'plan', id: 'p' }] }, { text: 'Planned.' }, { text: 'On it.' }],
    });
    await ask(sessionId, 'Plan');
    expect(await agent.readTasks(sessionId)).toHaveLength(1);
    await ask(sessionId, 'Go on');
    expect(lastTexts(model.requests.at(-1)?.messages ?? []).at(-1)).toBe(
      '[Current task state]\n- [pending] 1: fit the period',
    );
  });

  it('denies a tool that would ask, as long as nobody can be asked, and runs it in mode auto', async () => {
    const effects: string[] = [];
    const effectTool = defineTool({
      name: 'launch',
      summary: { zh: '发射', en: 'Launches' },
      description: { zh: '发射', en: 'Launches' },
      input: z.object({}),
      execute: async () => {
        effects.push('launched');
        return { text: 'launched' };
      },
    });
    const calls = { toolCalls: [{ name: 'launch' }] };
    const { ask, sessionId } = await opened({
      tools: [effectTool as Tool],
      script: [calls, { text: 'No.' }, calls, { text: 'Yes.' }, calls, { text: 'Plan only.' }],
    });
    expect(dataOf(await ask(sessionId, 'Go'), 'tool_result')).toMatchObject([{ status: 'denied' }]);
    expect(effects).toEqual([]);
    expect(dataOf(await ask(sessionId, 'Go', { permissionMode: 'auto' }), 'tool_result')).toMatchObject([
      { status: 'ok' },
    ]);
    expect(dataOf(await ask(sessionId, 'Go', { permissionMode: 'plan' }), 'tool_result')).toMatchObject([
      { status: 'denied' },
    ]);
    expect(effects).toEqual(['launched']);
  });
});

describe('retries', () => {
  it('wait as long as the provider asked, visibly, and go on within the same step', async () => {
    const { agent, readTurn, clock, sessionId, model } = await opened({
      script: [
        { failure: { kind: 'rate_limited', message: 'slow down', retryAfterMs: 7_000 } },
        { text: 'Now.' },
      ],
    });
    const sent = await agent.send(sessionId, { message: 'Go' });
    if (sent.kind !== 'started') throw new Error(sent.kind);
    const events = readTurn(sessionId, sent.turnId, sent.firstSeq);
    await untilSettled(() => model.requests.length === 1);
    clock.advance(6_999);
    await settle();
    expect(model.requests).toHaveLength(1);
    clock.advance(2_000);
    expect(dataOf(await events, 'retry')).toMatchObject([
      { kind: 'rate_limited', attempt: 1, retry_after_ms: 7_000 },
    ]);
    expect(dataOf(await events, 'step')).toHaveLength(1);
  });
});

describe('cancel', () => {
  it('keeps the text so far, marked, and the next turn works', async () => {
    const { agent, ask, readTurn, sessionId, model } = await opened({
      script: [{ text: 'Half of the ans', hangs: true }, { text: 'Fine.' }],
    });
    const sent = await agent.send(sessionId, { message: 'Go' });
    if (sent.kind !== 'started') throw new Error(sent.kind);
    const events = readTurn(sessionId, sent.turnId, sent.firstSeq);
    await untilSettled(() => model.requests.length === 1);
    expect(await agent.cancel(sessionId)).toBe('cancelling');
    expect(dataOf(await events, 'done')).toMatchObject([{ status: 'cancelled', message_id: 'm3' }]);
    expect(dataOf(await events, 'message').at(-1)).toMatchObject({
      content: 'Half of the ans',
      metadata: { ending: 'cancelled' },
    });
    expect(dataOf(await ask(sessionId, 'go on'), 'done')).toMatchObject([{ status: 'completed' }]);
  });

  it('gives every open call its cancelled result', async () => {
    const hanging = defineTool({
      ...echoTool,
      name: 'hang',
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    });
    const { agent, ask, readTurn, sessionId, model } = await opened({
      tools: [hanging as Tool],
      script: [
        {
          toolCalls: [
            { name: 'hang', arguments: { text: 'a' }, id: 'h1' },
            { name: 'hang', arguments: { text: 'b' }, id: 'h2' },
          ],
        },
        { text: 'Fine.' },
      ],
    });
    const sent = await agent.send(sessionId, { message: 'Go' });
    if (sent.kind !== 'started') throw new Error(sent.kind);
    const events = readTurn(sessionId, sent.turnId, sent.firstSeq);
    await untilSettled(async () => (await types(agent, sessionId)).includes('tool_call'));
    await agent.cancel(sessionId);
    expect(dataOf(await events, 'tool_result').map((data) => [data.tool_call_id, data.status])).toEqual([
      ['h1', 'cancelled'],
      ['h2', 'cancelled'],
    ]);
    await ask(sessionId, 'go on');
    expect(brokenRules(model.requests.at(-1)?.messages ?? [])).toEqual([]);
  });

  it('is harmless while nothing runs, and null for an unknown session', async () => {
    const { agent, sessionId } = await opened({ script: [] });
    expect(await agent.cancel(sessionId)).toBe('idle');
    expect(await agent.cancel('nobody')).toBeNull();
  });
});

describe('a session', () => {
  it('refuses a second turn while one runs, naming the running one', async () => {
    const { agent, sessionId } = await opened({ script: [{ text: 'x', hangs: true }] });
    const first = await agent.send(sessionId, { message: 'first' });
    const second = await agent.send(sessionId, { message: 'second' });
    expect(second).toMatchObject({
      kind: 'already-running',
      turnId: first.kind === 'started' ? first.turnId : '',
    });
    await agent.cancel(sessionId);
    const users = await agent.readMessages(sessionId, { agentName: 'lead', after: null, limit: 100 });
    expect(lastTexts(users ?? [])).not.toContain('second');
  });

  it('is refused to a second process while the first drives it', async () => {
    const store = createInMemoryStore();
    const first = createTestAgent({
      script: [{ text: 'x', hangs: true }],
      parts: { store, ids: counted('a') },
    });
    const second = createTestAgent({ script: [{ text: 'y' }], parts: { store, ids: counted('b') } });
    const { sessionId } = await first.agent.createSession();
    const sent = await first.agent.send(sessionId, { message: 'first' });
    const refused = await second.agent.send(sessionId, { message: 'second' });
    expect(refused).toMatchObject({
      kind: 'already-running',
      turnId: sent.kind === 'started' ? sent.turnId : '',
    });
    await first.agent.cancel(sessionId);
    if (sent.kind === 'started') await sent.ended;
    expect(dataOf(await second.ask(sessionId, 'now'), 'done')).toMatchObject([{ status: 'completed' }]);
  });

  it('can be renamed by a process whose view of the lease is old, while another drives it', async () => {
    const store = createInMemoryStore();
    const driver = createTestAgent({
      script: [{ text: 'x', hangs: true }],
      parts: { store, ids: counted('a') },
    });
    const other = createTestAgent({ script: [], parts: { store, ids: counted('b') } });
    const { sessionId } = await driver.agent.createSession();
    expect(await other.agent.renameSession(sessionId, 'opened before the turn')).not.toBeNull();
    const sent = await driver.agent.send(sessionId, { message: 'first' });
    expect((await other.agent.renameSession(sessionId, 'new name'))?.title).toBe('new name');
    await driver.agent.cancel(sessionId);
    if (sent.kind === 'started') expect(await sent.ended).toEqual({ kind: 'done', status: 'cancelled' });
  });

  it('stores its system prompt with the first turn and reuses it as stored', async () => {
    const memories = ['first'];
    const { ask, model, sessionId } = await opened({
      script: [{ text: '1' }, { text: '2' }],
      parts: { memories: async () => memories.map((name) => ({ name, content: name })) },
    });
    await ask(sessionId, 'one');
    memories.push('second');
    await ask(sessionId, 'two');
    const [before, after] = model.requests.map((request) => request.messages[0]);
    expect(after).toEqual(before);
    expect(before && textOf(before)).toContain('first');
  });

  it('speaks the language of its first message from then on', async () => {
    const { ask, model, sessionId } = await opened({ script: [{ text: '好' }, { text: 'ok' }] });
    await ask(sessionId, '请介绍造父变星');
    await ask(sessionId, 'Go on in English');
    expect(lastTexts(model.requests[1]?.messages ?? [])[0]).toContain('你是测试');
  });

  it('is gone for every call once it is deleted, and ends its readers', async () => {
    const { agent, sessionId } = await opened({ script: [] });
    const reading = await agent.subscribe(sessionId, { afterSeq: 0, signal: new AbortController().signal });
    expect(await agent.deleteSession(sessionId)).toBe(true);
    const seen = [];
    for await (const event of reading ?? []) seen.push(event.type);
    expect(seen.at(-1)).toBe('session-deleted');
    expect(await agent.readSession(sessionId)).toBeNull();
    expect(await agent.send(sessionId, { message: 'x' })).toEqual({ kind: 'unknown-session' });
  });
});

describe('a subscriber', () => {
  it('sees a gapless log from any point, each event once', async () => {
    const { agent, ask, sessionId } = await opened({
      script: [{ toolCalls: [echo('a', 'c1')] }, { text: 'Done.' }, { text: 'More.' }],
    });
    await ask(sessionId, 'one');
    await ask(sessionId, 'two');
    const all = (await stored(agent, sessionId)).map((event) => event.seq);
    expect(all).toEqual(all.map((_, index) => index + 1));
    for (const after of [0, 1, 5, all.length - 1]) {
      expect((await stored(agent, sessionId, after)).map((event) => event.seq)).toEqual(all.slice(after));
    }
  });

  it('who comes in the middle of a message first gets its text so far', async () => {
    const { agent, sessionId, model } = await opened({
      script: [{ reasoning: 'thinking', text: 'abcdef', chunkChars: 2, hangs: true }],
    });
    await agent.send(sessionId, { message: 'Go' });
    await untilSettled(() => model.requests.length === 1);
    await settle();
    const reading = new AbortController();
    const seen: [string, unknown][] = [];
    for await (const event of (await agent.subscribe(sessionId, { afterSeq: 5, signal: reading.signal })) ??
      []) {
      seen.push([event.type, 'text' in event ? event.text : null]);
      if (event.type === 'text-snapshot') reading.abort();
    }
    expect(seen).toEqual([
      ['thought-snapshot', 'thinking'],
      ['text-snapshot', 'abcdef'],
    ]);
    await agent.cancel(sessionId);
  });
});

function counted(prefix: string) {
  let made = 0;
  return () => {
    made += 1;
    return `${prefix}-${made}`;
  };
}

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
}

async function untilSettled(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 200; round++) {
    if (await condition()) return;
    await settle();
  }
  throw new Error('it never came');
}

type TestedAgent = ReturnType<typeof createTestAgent>['agent'];

async function stored(agent: TestedAgent, sessionId: string, afterSeq = 0) {
  const reading = new AbortController();
  const { toWire } = await import('@astroresearch/core');
  const seen: ReturnType<typeof toWire>[] = [];
  const events = (await agent.subscribe(sessionId, { afterSeq, signal: reading.signal })) ?? [];
  const collect = (async () => {
    for await (const event of events) seen.push(toWire(sessionId, event));
  })();
  await settle();
  reading.abort();
  await collect;
  return durable(seen);
}

async function types(agent: TestedAgent, sessionId: string): Promise<readonly string[]> {
  return (await stored(agent, sessionId)).map((event) => event.type);
}
