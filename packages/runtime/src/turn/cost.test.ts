/** What turns say of their cost, of a request that may have been cut, and of the limit of an answer. */
import { KNOWN_MODELS, type Settings, withOverrides } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { createScriptedModel, type Script } from '../llm/scripted-model.ts';
import { createTestAgent, dataOf } from '../testing/test-agent.ts';

const PRICED = { windowTokens: 200_000, prices: { input: 10, cachedInput: 1, output: 100 } };
const table = withOverrides(KNOWN_MODELS, {
  'scripted-model': PRICED,
  dearer: { ...PRICED, prices: { input: 20, output: 200 } },
  limited: { windowTokens: 40_000, maxOutputTokens: 12_000 },
});
const settings: Partial<Settings> = { models: { configured: null, table } };

async function turn(script: Script, question = 'why?', more: Partial<Settings> = {}, model?: string) {
  const test = createTestAgent({ script, settings: { ...settings, ...more } });
  const { sessionId } = await test.agent.createSession();
  const events = await test.ask(sessionId, question, model === undefined ? {} : { model });
  return { ...test, sessionId, events, usage: (dataOf(events, 'usage')[0] ?? {}) as Record<string, unknown> };
}

const usage = { promptTokens: 100, cachedTokens: 40, completionTokens: 7 };
/** 60 × 10 + 40 × 1 + 7 × 100, of a million. */
const COST = 0.00134;

describe('the cost of a turn', () => {
  it('is told by the prices of the model, cached tokens at their own', async () => {
    const { usage: told, agent, sessionId } = await turn([{ text: 'So.', usage }]);
    expect(told.cost_usd).toBe(COST);
    expect(await agent.readMetrics(sessionId)).toMatchObject({
      bill: { usd: COST, pricedCalls: 1, unpricedCalls: 0 },
    });
  });

  it('is that of every attempt, failed ones as well', async () => {
    const { usage: told } = await turn([
      { text: ' ', usage },
      { text: 'Now.', usage },
    ]);
    expect(told).toMatchObject({ cost_usd: 2 * COST, prompt_tokens: 200, steps: 1 });
  });

  it('takes each attempt at the prices of the model that it asked', async () => {
    const empty = { text: ' ', usage };
    const overflow = { failure: { kind: 'context_too_long', message: 'too long' } } as const;
    const larger = withOverrides(table, { dearer: { windowTokens: 400_000 } });
    const { usage: told, events } = await turn([empty, overflow, { text: 'So.', usage }], 'why?', {
      fallbackModel: 'dearer',
      models: { configured: null, table: larger },
    });
    expect(dataOf(events, 'model_switch')).toHaveLength(1);
    // No cached price is known of it: 100 × 20 + 7 × 200.
    expect(told.cost_usd).toBe(0.00474);
  });

  it('is left out, not 0, where the price of one call is not known', async () => {
    const { usage: told, agent, sessionId } = await turn([{ text: 'So.', usage }], 'why?', {}, 'stranger');
    expect(told).not.toHaveProperty('cost_usd');
    expect(await agent.readMetrics(sessionId)).toMatchObject({ bill: { pricedCalls: 0, unpricedCalls: 1 } });
  });

  it('has the summary of a compaction in it', async () => {
    const long = { text: 'the galaxy was observed again '.repeat(250), usage: {} };
    const model = createScriptedModel({
      replies: [long, long, long, long, long, { text: 'End.' }],
      repliesFor: {
        summary: Array.from({ length: 4 }, () => ({ text: 'Short.', usage: { promptTokens: 3_000 } })),
      },
    });
    const tight = { budget: { softTokens: 6_000, hardTokens: 1_000_000 } };
    const test = createTestAgent({ script: [], settings: { ...settings, ...tight }, parts: { model } });
    const { sessionId } = await test.agent.createSession();
    const events = [];
    for (let nth = 0; nth < 6; nth++) events.push(...(await test.ask(sessionId, `question ${nth}`)));
    const summaries = dataOf(events, 'compaction').filter((data) => data.summary_cost_usd !== undefined);
    expect(summaries.length).toBeGreaterThan(0);
    const metrics = await test.agent.readMetrics(sessionId);
    expect(metrics?.bill.pricedCalls).toBe(6 + summaries.length);
    const turns = dataOf(events, 'usage').map(({ cost_usd }) => Number(cost_usd));
    expect(metrics?.bill.usd).toBeCloseTo(
      turns.reduce((sum, cost) => sum + cost, 0),
      9,
    );
  });
});

describe('a request that the provider may have cut', () => {
  const question = `read this: ${'a line of the catalogue '.repeat(900)}`;

  it('is told once, at the end of the turn', async () => {
    const calls = [{ name: 'echo', arguments: { text: 'x' } }];
    const cut = { promptTokens: 2_048, completionTokens: 5 };
    const { events } = await turn(
      [
        { toolCalls: calls, usage: cut },
        { text: 'So.', usage: cut },
      ],
      question,
    );
    expect(dataOf(events, 'usage')).toMatchObject([{ suspected_truncation: true }]);
  });

  it('is not suspected of a report near our count, of nonsense, of none, or of a small request', async () => {
    for (const promptTokens of [4_500, 300, 0]) {
      const { usage: told } = await turn([{ text: 'So.', usage: { promptTokens } }], question);
      expect(told).not.toHaveProperty('suspected_truncation');
    }
    const { usage: small } = await turn([{ text: 'So.', usage: { promptTokens: 30 } }]);
    expect(small).not.toHaveProperty('suspected_truncation');
  });
});

describe('the output limit of a request', () => {
  async function limitOf(model: string, question: string, needsOutputLimit: boolean) {
    const scripted = createScriptedModel({ replies: [{ text: 'So.' }] });
    const parts = { model: { ...scripted, needsOutputLimit } };
    const test = createTestAgent({ script: [], settings, parts });
    const { sessionId } = await test.agent.createSession();
    await test.ask(sessionId, question, { model });
    return scripted.requests[0]?.maxOutputTokens;
  }

  it('is the model’s own by the table, or what its window leaves', async () => {
    expect(await limitOf('limited', 'why?', true)).toBe(12_000);
    const left = await limitOf('limited', 'a line of the catalogue '.repeat(5_000), true);
    expect(left).toBeGreaterThan(5_000);
    expect(left).toBeLessThan(10_000);
  });

  it('is left to the adapter for a model that nobody knows, and to a provider that needs none', async () => {
    expect(await limitOf('stranger', 'why?', true)).toBeUndefined();
    expect(await limitOf('limited', 'why?', false)).toBeUndefined();
  });
});
