/** Limits of the model in use, in whole turns: a fallback is chosen by fit, and nobody is sent more than it takes. */
import { KNOWN_MODELS, largestRequest, type ModelOverride, textOf, withOverrides } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import type { ScriptedReply } from '../llm/scripted-model.ts';
import { createTestAgent, dataOf, echoTool, typesOf } from '../testing/test-agent.ts';
import type { Tool } from '../tools/tool.ts';

const MAIN = 'scripted-model';
const busy: ScriptedReply = { failure: { kind: 'overloaded', message: 'busy' } };
const overflow: ScriptedReply = { failure: { kind: 'context_too_long', message: 'too long' } };
const words = (nth: number) => `answer ${nth}: ${'a spectrum of the source was taken at night '.repeat(110)}`;

const WINDOWS: Readonly<Record<string, ModelOverride>> = {
  tiny: { windowTokens: 6_000 },
  roomy: { windowTokens: 1_000_000 },
};

type Options = {
  readonly fallbackModel?: string | null;
  readonly windowTokens?: number;
  readonly turns?: number;
};

/** A session of so many long answers, then the script; `configured` is the scripted model. */
async function talked(script: readonly ScriptedReply[], options: Options = {}) {
  const { fallbackModel = null, windowTokens = 1_000_000, turns = 6 } = options;
  const table = withOverrides(KNOWN_MODELS, WINDOWS);
  const long = Array.from({ length: turns }, (_, nth) => ({ text: words(nth) }));
  const test = createTestAgent({
    script: [...long, ...script],
    tools: [echoTool as Tool],
    settings: {
      fallbackModel,
      models: { configured: MAIN, table },
      compaction: { policy: 'balanced', charLimit: null, maxMessages: 50, windowTokens },
    },
  });
  const { sessionId } = await test.agent.createSession();
  for (let nth = 0; nth < turns; nth++) await test.ask(sessionId, `question ${nth}`);
  const before = test.model.requests.length;

  /** One turn, whose waits pass at once. */
  async function askOn(message: string, model?: string) {
    const asked = test.ask(sessionId, message, model === undefined ? {} : { model });
    const ended = asked.then(() => true);
    const tick = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      test.clock.advance(500);
      return false;
    };
    while (!(await Promise.race([ended, tick()])));
    return asked;
  }

  const sent = () =>
    test.model.requests.slice(before).map(({ model, messages }) => ({
      model,
      tokens: Math.ceil(messages.map(textOf).join('').length / 4),
    }));
  return { ...test, sessionId, askOn, sent };
}

/** Nobody is sent more than its window leaves beside the answer. */
function expectFit(sent: readonly { model: string; tokens: number }[]): void {
  for (const { model, tokens } of sent)
    expect(tokens).toBeLessThanOrEqual(largestRequest(WINDOWS[model]?.windowTokens ?? 1_000_000));
}

describe('a fallback for an overloaded model', () => {
  it('whose window is too small has the context compacted for it first, told and then asked', async () => {
    const script = [busy, busy, busy, { text: 'From the small one.' }, { text: 'Back.' }];
    const { askOn, sent } = await talked(script, { fallbackModel: 'tiny' });
    const events = await askOn('go on');
    expect(sent().map(({ model }) => model)).toEqual([MAIN, MAIN, MAIN, 'tiny']);
    expect(sent()[0]?.tokens).toBeGreaterThan(6_000);
    expectFit(sent());
    const types = typesOf(events);
    expect(types.indexOf('compaction')).toBeLessThan(types.indexOf('model_switch'));
    expect(types.lastIndexOf('attempt_failed')).toBeLessThan(types.indexOf('compaction'));
    expect(dataOf(events, 'compaction')).toMatchObject([{ for_model: 'tiny' }]);
    expect(dataOf(events, 'model_switch')).toMatchObject([{ from: MAIN, to: 'tiny', reason: 'overloaded' }]);
    await askOn('and now?');
    expect(sent().at(-1)?.model).toBe(MAIN);
  });

  it('whose window is large enough gets the context as it is', async () => {
    const script = [busy, busy, busy, { text: 'From the large one.' }];
    const { askOn, sent } = await talked(script, { fallbackModel: 'roomy' });
    const events = await askOn('go on');
    expect(dataOf(events, 'compaction')).toEqual([]);
    expect(sent().at(-1)).toEqual({ ...sent()[0], model: 'roomy' });
  });

  it('that could never hold what must stay is not asked: the first one is waited for', async () => {
    const script = [busy, busy, busy, busy, { text: 'At last.' }];
    const { askOn, sent } = await talked(script, { fallbackModel: 'tiny', turns: 1 });
    const events = await askOn(`all of this: ${'an exact figure of the catalogue '.repeat(900)}`);
    expect(sent().map(({ model }) => model)).toEqual([MAIN, MAIN, MAIN, MAIN, MAIN]);
    expect(dataOf(events, 'model_switch')).toEqual([]);
    // Nor is anything made smaller in vain.
    expect(dataOf(events, 'compaction')).toEqual([]);
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
  });

  it('keeps its own limits to the end of the turn', async () => {
    const call = (nth: number, times: number) => ({
      text: words(nth).repeat(times),
      toolCalls: [{ name: 'echo', arguments: { text: 'short' } }],
    });
    // The first of them alone makes the next request too large again.
    const later = Array.from({ length: 5 }, (_, nth) => call(nth + 20, nth === 0 ? 3 : 1));
    const { askOn, sent } = await talked([busy, busy, busy, ...later, { text: 'Done.' }], {
      fallbackModel: 'tiny',
    });
    const events = await askOn('work in steps');
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
    expect(sent().filter(({ model }) => model === 'tiny')).toHaveLength(6);
    expectFit(sent());
  });
});

describe('the window of a turn’s own model', () => {
  it('has the context compacted before the first call, and the first model is asked again in the next turn', async () => {
    const { askOn, sent } = await talked([{ text: 'Small.' }, { text: 'Large.' }]);
    await askOn('with another model', 'tiny');
    await askOn('and with the usual one');
    expect(sent().map(({ model }) => model)).toEqual(['tiny', MAIN]);
    expectFit(sent());
  });

  it('of which nobody knows is 128 000, whatever is set for the configured one', async () => {
    const { askOn, sent } = await talked([{ text: 'Fits.' }], { windowTokens: 8_000, turns: 6 });
    await askOn('with a stranger', 'stranger');
    const events = await askOn('a second time', 'stranger');
    expect(dataOf(events, 'compaction')).toEqual([]);
    expect(sent()).toHaveLength(2);
  });
});

describe('the larger model', () => {
  it('is asked where nothing else made the request fit, for the rest of the turn', async () => {
    const script = [overflow, overflow, { text: 'It fits here.' }, { text: 'Next.' }];
    const { askOn, sent, agent, sessionId } = await talked(script, {
      fallbackModel: 'roomy',
      windowTokens: 20_000,
    });
    const events = await askOn('one more');
    const taken = dataOf(events, 'recovery').filter(({ skipped }) => skipped === undefined);
    expect(taken.map(({ action }) => action)).toEqual(['reactive_compact', 'larger_model']);
    expect(dataOf(events, 'model_switch')).toMatchObject([{ to: 'roomy', reason: 'context_too_long' }]);
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
    expect(sent().map(({ model }) => model)).toEqual([MAIN, MAIN, 'roomy']);
    // Each request that was sent counts once.
    expect(await agent.readMetrics(sessionId)).toMatchObject({ modelCalls: 6 + 3 });
    expect(await agent.readContext(sessionId, 6 + 4)).toMatchObject({ context: { isNext: true } });
    await askOn('again');
    expect(sent().at(-1)?.model).toBe(MAIN);
  });

  it('is skipped, with the reason, where it is no larger, and the turn ends', async () => {
    const { askOn, sent } = await talked([overflow, overflow, overflow], { fallbackModel: 'tiny' });
    const events = await askOn('one more');
    const rung = dataOf(events, 'recovery').find(({ action }) => action === 'larger_model');
    expect(rung).toMatchObject({ skipped: 'the window of tiny is no larger' });
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'failed' }]);
    for (const { model } of sent()) expect(model).toBe(MAIN);
  });

  it('that refuses as well is not asked twice', async () => {
    const script = [overflow, overflow, overflow, overflow];
    const { askOn, sent } = await talked(script, { fallbackModel: 'roomy', windowTokens: 20_000 });
    const events = await askOn('one more');
    expect(sent().map(({ model }) => model)).toEqual([MAIN, MAIN, 'roomy']);
    expect(dataOf(events, 'recovery').at(-1)).toMatchObject({ action: 'surface' });
  });
});
