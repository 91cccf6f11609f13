/** The ladder and the fallback in whole turns: what is sent again, what is told, and what never enters history. */
import { LEAD, type ModelFailure, textOf } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import type { ScriptedReply } from '../llm/scripted-model.ts';
import { createTestAgent, dataOf, echoTool } from '../testing/test-agent.ts';
import type { Tool } from '../tools/tool.ts';

const refused = (failure: ModelFailure): ScriptedReply => ({ failure });
const overflow = refused({ kind: 'context_too_long', message: 'too long' });
const busy = refused({ kind: 'overloaded', message: 'busy' });
const words = (nth: number) =>
  `answer ${nth}: ${'the cluster lies at a redshift that was measured '.repeat(120)}`;

async function talked(script: readonly ScriptedReply[], turns: number, settings = {}) {
  const long = Array.from({ length: turns }, (_, nth) => ({ text: words(nth) }));
  const test = createTestAgent({ script: [...long, ...script], settings, tools: [echoTool as Tool] });
  const { sessionId } = await test.agent.createSession();
  for (let nth = 0; nth < turns; nth++) await test.ask(sessionId, `question ${nth}`);
  const sizeOfRequest = (nth: number) =>
    (test.model.requests.at(nth)?.messages ?? []).map(textOf).join('').length;
  return { ...test, sessionId, sizeOfRequest };
}

describe('a request that is too long', () => {
  it('is sent again smaller, and the turn goes on', async () => {
    const { ask, sessionId, sizeOfRequest } = await talked([overflow, { text: 'Fits now.' }], 5);
    const events = await ask(sessionId, 'one more');
    const rungs = dataOf(events, 'recovery').filter((data) => data.skipped === undefined);
    expect(rungs.map(({ action }) => action)).toEqual(['reactive_compact']);
    expect(sizeOfRequest(-1)).toBeLessThan(sizeOfRequest(-2));
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
  });

  it('that never fits takes each rung once, tells, and leaves the session usable', async () => {
    const { ask, sessionId, model, agent } = await talked([overflow, overflow, { text: 'Alive.' }], 5);
    const before = model.requests.length;
    const events = await ask(sessionId, 'never fits');
    const actions = dataOf(events, 'recovery').map(({ action }) => action);
    expect(actions).toEqual([...new Set(actions)]);
    expect(actions.at(-1)).toBe('surface');
    expect(model.requests.length - before).toBe(2);
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'failed' }]);
    expect(dataOf(await ask(sessionId, 'still there?'), 'done')).toMatchObject([{ status: 'completed' }]);
    const stored = (await agent.readMessages(sessionId, { agentName: LEAD, after: null, limit: 100 })) ?? [];
    expect(stored.map(textOf).join()).not.toContain('too long');
  });

  it('teaches the window: later turns make room before they ask', async () => {
    const refusedOnce = refused({ kind: 'context_too_long', message: 'too long', windowTokens: 6_000 });
    const later = Array.from({ length: 7 }, (_, nth) => ({ text: words(nth + 9) }));
    const { ask, sessionId, model, sizeOfRequest } = await talked([refusedOnce, ...later], 5);
    await ask(sessionId, 'the one that teaches');
    const before = model.requests.length;
    const events = [];
    for (let nth = 0; nth < 6; nth++) events.push(...(await ask(sessionId, `later ${nth}`)));
    expect(model.requests.length - before).toBe(6);
    expect(dataOf(events, 'recovery')).toEqual([]);
    expect(dataOf(events, 'compaction').length).toBeGreaterThan(0);
    for (let nth = before; nth < model.requests.length; nth++)
      expect(sizeOfRequest(nth) / 4).toBeLessThan(6_000);
  });

  it('is given less room to answer, where the provider named its limit', async () => {
    const limit = refused({ kind: 'output_limit', message: 'at most 900', outputLimitTokens: 900 });
    const { ask, sessionId, model } = await talked([limit, { text: 'Short.' }], 1);
    await ask(sessionId, 'go');
    expect(model.requests.at(-1)?.maxOutputTokens).toBe(900);
  });
});

describe('a content filter', () => {
  it('has the newest results of tools set aside, once', async () => {
    const filter = refused({ kind: 'content_filter', message: 'refused' });
    const call = { toolCalls: [{ name: 'echo', arguments: '{"text":"BAD WORDS"}' }] };
    const { ask, sessionId, model } = await talked([call, filter, { text: 'Otherwise.' }], 1);
    const events = await ask(sessionId, 'look');
    expect(dataOf(events, 'recovery')).toMatchObject([{ kind: 'content_filter', action: 'quarantine' }]);
    const last = (model.requests.at(-1)?.messages ?? []).map(textOf).join();
    expect(last).not.toContain('BAD WORDS');
    expect(last).toContain('Set aside');
  });
});

describe('a model that is overloaded', () => {
  it('is left for the fallback after three tries, and asked again in the next turn', async () => {
    const script = [busy, busy, busy, { text: 'From the other.' }, { text: 'Back.' }];
    const { ask, sessionId, model, clock } = await talked(script, 1, { fallbackModel: 'other' });
    const asked = ask(sessionId, 'hello');
    const ended = asked.then(() => true);
    const tick = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(500);
      return false;
    };
    while (!(await Promise.race([ended, tick()])));
    const events = await asked;
    expect(dataOf(events, 'model_switch')).toMatchObject([{ to: 'other', reason: 'overloaded' }]);
    expect(model.requests.slice(-4).map((request) => request.model)).toEqual([
      ...Array(3).fill(model.defaultModel),
      'other',
    ]);
    await ask(sessionId, 'and now?');
    expect(model.requests.at(-1)?.model).toBe(model.defaultModel);
  });
});
