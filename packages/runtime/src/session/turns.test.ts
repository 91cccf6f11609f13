/** Turns over processes that die, stop, repeat themselves and are spoken to meanwhile (reliability.md 2.3, runtime.md). */
import { brokenRules, textOf, toWire } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ScriptedReply } from '../llm/scripted-model.ts';
import { readLog } from '../log/read-log.ts';
import { createInMemoryStore } from '../store/in-memory.ts';
import type { Store } from '../store/store.ts';
import { createTestAgent, dataOf, echoTool } from '../testing/test-agent.ts';
import { defineTool, type Tool } from '../tools/tool.ts';

/** A process over a store; each has ids of its own. */
function startProcess(store: Store, name: string, script: readonly ScriptedReply[], tools?: readonly Tool[]) {
  let made = 0;
  const ids = () => `${name}-${++made}`;
  return createTestAgent({
    script,
    ...(tools === undefined ? {} : { tools }),
    parts: { store, ids, permissionMode: 'auto' },
  });
}

async function logOf(store: Store, sessionId: string) {
  return (await readLog(store, sessionId)).map((event) => toWire(sessionId, event));
}

/** Passes of the event loop until `enough`; fails where it never comes. */
async function until(enough: () => boolean | Promise<boolean>): Promise<void> {
  for (let pass = 0; pass < 2_000; pass++) {
    if (await enough()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('it did not come to that');
}

const isDone =
  (store: Store, sessionId: string, turns = 1) =>
  async () =>
    dataOf(await logOf(store, sessionId), 'done').length >= turns;

/** Counts how often its effect happens; may hang for good. */
function launch(effect: 'read' | 'idempotent' | 'effect', happened: string[], hangs: boolean): Tool {
  return defineTool({
    name: 'launch',
    summary: { zh: '发射', en: 'Launches' },
    description: { zh: '发射', en: 'Launches' },
    input: z.object({ what: z.string() }),
    effect,
    execute: async ({ what }) => {
      happened.push(what);
      if (hangs) await new Promise(() => {});
      return { text: `launched ${what}` };
    },
  }) as Tool;
}

const asksForLaunch = { toolCalls: [{ name: 'launch', arguments: { what: 'probe' }, id: 'c1' }] };

describe('a turn whose process died (I24)', () => {
  it('comes back by itself once the dead lease has run out: one question, one answer, one done', async () => {
    const store = createInMemoryStore();
    const dead = startProcess(store, 'a', [{ text: 'never', hangs: true }]);
    const { sessionId } = await dead.agent.createSession();
    await dead.agent.send(sessionId, { message: 'lost?' });
    const next = startProcess(store, 'b', [{ text: 'Found.' }]);
    expect(await next.agent.resumeInterrupted()).toBe(0);
    next.clock.advance(16_000);
    await until(isDone(store, sessionId));
    const log = await logOf(store, sessionId);
    expect(dataOf(log, 'done')).toMatchObject([
      { status: 'completed', turn_id: dataOf(log, 'session')[0]?.turn_id },
    ]);
    expect(dataOf(log, 'turn_resumed')).toHaveLength(1);
    const stored = await store.readMessages(sessionId, { agentName: 'lead', after: null, limit: 9 });
    expect(stored.map((message) => message.role)).toEqual(['system', 'user', 'assistant']);
    expect(brokenRules(next.model.requests[0]?.messages ?? [])).toEqual([]);
    await next.agent.close();
  });

  it.each([
    ['effect', ['probe'], 'interrupted'],
    ['read', ['probe', 'probe'], 'ok'],
    ['idempotent', ['probe', 'probe'], 'ok'],
  ] as const)(
    'I7: runs a started %s tool as its class says, with one intent and one outcome',
    async (effect, times, status) => {
      const store = createInMemoryStore();
      const happened: string[] = [];
      const dead = startProcess(store, 'a', [asksForLaunch], [launch(effect, happened, true)]);
      const { sessionId } = await dead.agent.createSession();
      await dead.agent.send(sessionId, { message: 'Go.' });
      await until(() => happened.length === 1);
      const next = startProcess(store, 'b', [{ text: 'Done.' }], [launch(effect, happened, false)]);
      next.clock.advance(16_000);
      expect(await next.agent.resumeInterrupted()).toBe(1);
      await until(isDone(store, sessionId));
      expect(happened).toEqual(times);
      const log = await logOf(store, sessionId);
      expect(dataOf(log, 'tool_call')).toHaveLength(1);
      expect(dataOf(log, 'tool_result')).toMatchObject([{ status, tool_call_id: 'c1' }]);
      expect(brokenRules(next.model.requests[0]?.messages ?? [])).toEqual([]);
      await next.agent.close();
    },
  );

  it('is closed when it has made its process die three times over the same step', async () => {
    const store = createInMemoryStore();
    const first = startProcess(store, 'p0', [{ hangs: true }]);
    const { sessionId } = await first.agent.createSession();
    await first.agent.send(sessionId, { message: 'Poison.' });
    for (let crash = 1; crash <= 4; crash++) {
      const next = startProcess(store, `p${crash}`, [{ hangs: true }]);
      next.clock.advance(16_000 * crash);
      expect(await next.agent.resumeInterrupted()).toBe(crash <= 3 ? 1 : 0);
    }
    const log = await logOf(store, sessionId);
    expect(dataOf(log, 'turn_resumed')).toHaveLength(3);
    expect(dataOf(log, 'error')).toMatchObject([{ kind: 'interrupted' }]);
    expect(dataOf(log, 'done')).toMatchObject([{ status: 'failed' }]);
  });

  it('goes on before a new message is taken, wherever that arrives', async () => {
    const store = createInMemoryStore();
    const dead = startProcess(store, 'a', [{ hangs: true }]);
    const { sessionId } = await dead.agent.createSession();
    await dead.agent.send(sessionId, { message: 'first' });
    const next = startProcess(store, 'b', [{ text: 'One.' }, { text: 'Two.' }]);
    next.clock.advance(16_000);
    const refused = await next.agent.send(sessionId, { message: 'second' });
    expect(refused.kind).toBe('already-running');
    if (refused.kind === 'already-running') await refused.ended;
    await next.ask(sessionId, 'second');
    const stored = await store.readMessages(sessionId, { agentName: 'lead', after: null, limit: 9 });
    expect(stored.slice(1).map(textOf)).toEqual(['first', 'One.', 'second', 'Two.']);
  });
});

describe('a process that stops in good order', () => {
  it('leaves its turn to the next one at once, and that is no crash', async () => {
    const store = createInMemoryStore();
    const stopping = startProcess(store, 'a', [{ text: 'half', hangs: true }]);
    const { sessionId } = await stopping.agent.createSession();
    const sent = await stopping.agent.send(sessionId, { message: 'Go on later.' });
    const shared: Store = { ...store, close: async () => {} };
    const first = startProcess(shared, 'x', []);
    await first.agent.close();
    // The store outlives the process here, as a file does.
    Object.assign(store, { close: async () => {} });
    await stopping.agent.close();
    expect(sent.kind === 'started' && (await sent.ended)).toEqual({ kind: 'suspended' });
    const next = startProcess(store, 'b', [{ text: 'Whole.' }]);
    expect(await next.agent.resumeInterrupted()).toBe(1);
    await until(isDone(store, sessionId));
    const log = await logOf(store, sessionId);
    expect(log.map(({ type }) => type).filter((type) => type.startsWith('turn_'))).toEqual([
      'turn_suspended',
      'turn_resumed',
    ]);
    expect(dataOf(log, 'message').map((data) => data.content)).toEqual([
      expect.any(String),
      'Go on later.',
      'Whole.',
    ]);
    await next.agent.close();
  });

  it('lets a tool settle first: its outcome is stored, and it is not run again', async () => {
    const store = createInMemoryStore();
    Object.assign(store, { close: async () => {} });
    let settle = () => {};
    const happened: string[] = [];
    const slow = defineTool({
      name: 'launch',
      summary: { zh: '发射', en: 'Launches' },
      description: { zh: '发射', en: 'Launches' },
      input: z.object({ what: z.string() }),
      effect: 'effect',
      execute: async ({ what }) => {
        happened.push(what);
        await new Promise<void>((resolve) => {
          settle = resolve;
        });
        return { text: 'launched' };
      },
    }) as Tool;
    const stopping = startProcess(store, 'a', [asksForLaunch], [slow]);
    const { sessionId } = await stopping.agent.createSession();
    await stopping.agent.send(sessionId, { message: 'Go.' });
    await until(() => happened.length === 1);
    const closed = stopping.agent.close();
    settle();
    await closed;
    const next = startProcess(store, 'b', [{ text: 'Done.' }], [slow]);
    await next.agent.resumeInterrupted();
    await until(isDone(store, sessionId));
    expect(happened).toEqual(['probe']);
    expect(dataOf(await logOf(store, sessionId), 'tool_result')).toMatchObject([{ status: 'ok' }]);
    await next.agent.close();
  });
});

describe('a request with an Idempotency-Key (I20)', () => {
  it('is carried out once, however often it comes, also by another process', async () => {
    const store = createInMemoryStore();
    const one = startProcess(store, 'a', [{ text: 'Once.' }, { text: 'twice?' }]);
    const { sessionId } = await one.agent.createSession();
    const send = { message: 'once only', idempotencyKey: 'k1' };
    const [first, second] = await Promise.all([
      one.agent.send(sessionId, send),
      one.agent.send(sessionId, send),
    ]);
    const turnId = first.kind === 'started' ? first.turnId : '';
    expect(second).toMatchObject({ kind: 'repeated', turnId });
    await until(isDone(store, sessionId));
    expect(await one.agent.send(sessionId, send)).toMatchObject({ kind: 'repeated', turnId });
    const other = startProcess(store, 'b', []);
    expect(await other.agent.send(sessionId, send)).toMatchObject({ kind: 'repeated', turnId });
    expect(one.model.requests).toHaveLength(1);
    const reused = await one.agent.send(sessionId, { ...send, message: 'something else' });
    expect(reused).toMatchObject({ kind: 'key-reused', turnId });
  });
});

describe('a message sent while a turn runs, with queue', () => {
  it('enters at the next step boundary, behind the results, and is answered in the same turn', async () => {
    const store = createInMemoryStore();
    const process = startProcess(
      store,
      'a',
      [{ toolCalls: [{ name: 'echo', arguments: { text: 'one' } }] }, { text: 'Both.' }],
      [echoTool as Tool],
    );
    const { sessionId } = await process.agent.createSession();
    const sent = await process.agent.send(sessionId, { message: 'first wish' });
    const queued = await process.agent.send(sessionId, { message: 'second wish', queue: true });
    expect(queued).toMatchObject({ kind: 'queued', turnId: sent.kind === 'started' ? sent.turnId : '' });
    await until(isDone(store, sessionId));
    const shown = process.model.requests.at(-1)?.messages ?? [];
    expect(shown.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(shown.at(-1) && textOf(shown.at(-1) as never)).toBe('second wish');
    expect(dataOf(await logOf(store, sessionId), 'done')).toHaveLength(1);
  });

  it('that comes after the forced answer begins the next turn by itself', async () => {
    const store = createInMemoryStore();
    const process = startProcess(store, 'a', [
      { toolCalls: [{ name: 'echo', arguments: { text: 'one' } }] },
      { text: 'Out of steps.' },
      { text: 'And this.' },
    ]);
    const { sessionId } = await process.agent.createSession();
    await process.agent.send(sessionId, { message: 'first', maxSteps: 1 });
    await until(() => process.model.requests.length === 2);
    await process.agent.send(sessionId, { message: 'second', queue: true });
    await until(isDone(store, sessionId, 2));
    const stored = await store.readMessages(sessionId, { agentName: 'lead', after: null, limit: 20 });
    expect(stored.map(textOf).filter((text) => text === 'second')).toHaveLength(1);
    expect(textOf(stored.at(-1) as never)).toBe('And this.');
  });
});

describe('a fork', () => {
  it('begins like its origin up to the message, rests, and goes its own way', async () => {
    const store = createInMemoryStore();
    const process = startProcess(store, 'a', [
      { text: 'answer one' },
      { text: 'answer two' },
      { text: 'answer three' },
    ]);
    const { sessionId } = await process.agent.createSession();
    await process.ask(sessionId, 'question one');
    await process.ask(sessionId, 'question two');
    const stored = await store.readMessages(sessionId, { agentName: 'lead', after: null, limit: 20 });
    const cut = stored.find((message) => textOf(message) === 'answer one');
    const outcome = await process.agent.forkSession(sessionId, cut?.id ?? null);
    if (outcome?.kind !== 'forked') throw new Error('it must fork');
    const { session } = outcome;
    expect(session).toMatchObject({ status: 'idle', turnCount: 1 });
    await process.ask(session.sessionId, 'question three');
    expect(process.model.requests.at(-1)?.messages.slice(1).map(textOf)).toEqual([
      'question one',
      'answer one',
      'question three',
    ]);
    const origin = await store.readMessages(sessionId, { agentName: 'lead', after: null, limit: 20 });
    expect(origin).toEqual(stored);
  });

  it('within a turn rests too: its open calls are interrupted', async () => {
    const store = createInMemoryStore();
    const process = startProcess(store, 'a', [
      { toolCalls: [{ name: 'echo', arguments: { text: 'one' } }] },
      { text: 'answer' },
      { text: 'again' },
    ]);
    const { sessionId } = await process.agent.createSession();
    await process.ask(sessionId, 'question');
    const stored = await store.readMessages(sessionId, { agentName: 'lead', after: null, limit: 20 });
    const outcome = await process.agent.forkSession(sessionId, stored[2]?.id ?? null);
    if (outcome?.kind !== 'forked') throw new Error('it must fork');
    const events = await process.ask(outcome.session.sessionId, 'and now?');
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
    expect(brokenRules(process.model.requests.at(-1)?.messages ?? [])).toEqual([]);
    expect(await process.agent.forkSession(sessionId, 'm999')).toEqual({ kind: 'unknown-message' });
  });
});
