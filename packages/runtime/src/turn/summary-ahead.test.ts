/** Ready before it is needed (context.md 5): a turn whose compaction finds its summary written. */
import { DEFAULT_SETTINGS, textOf } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { createScriptedModel, type Script, type ScriptedReply } from '../llm/scripted-model.ts';
import { createTestAgent, dataOf } from '../testing/test-agent.ts';

const SETTINGS = {
  turn: { maxSteps: 60 },
  budget: { softTokens: 3_000, hardTokens: 60_000 },
};

/** Steps that each add about 240 tokens, then the answer. */
function steps(count: number): Script {
  return (_, nth): ScriptedReply =>
    nth < count
      ? {
          text: `Step ${nth}: ${'a plain sentence of some length. '.repeat(18)}`,
          toolCalls: [{ name: 'echo', arguments: { text: `${nth} ${'word '.repeat(60)}` } }],
        }
      : { text: 'The answer.' };
}

function world(summaries: Script, count = 14) {
  const model = createScriptedModel({ replies: steps(count), repliesFor: { summary: summaries } });
  const made = createTestAgent({
    script: [],
    settings: { ...SETTINGS, compaction: { ...DEFAULT_SETTINGS.compaction } },
    parts: { model },
  });
  return { ...made, model };
}

const purposes = (model: ReturnType<typeof createScriptedModel>) =>
  model.requests.map(({ purpose }) => purpose);

describe('a summary written ahead', () => {
  it('is asked for once, beside a step before the compaction, and stands in the requests after it', async () => {
    const { agent, model, ask } = world([{ text: 'WRITTEN AHEAD' }, { text: 'SECOND' }, { text: 'THIRD' }]);
    const { sessionId } = await agent.createSession();
    const events = await ask(sessionId, 'Go on for long.');
    const [first] = dataOf(events, 'compaction');
    expect(first).toMatchObject({ trigger: 'auto', outcome: 'compacted', success: true, breaker: 'closed' });
    const asked = purposes(model).indexOf('summary');
    const using = model.requests.findIndex(({ messages }) =>
      messages.some((m) => textOf(m).includes('WRITTEN AHEAD')),
    );
    expect(using).toBeGreaterThan(asked + 1);
    expect(purposes(model).slice(asked + 1, using)).not.toContain('summary');
    const compactions = dataOf(events, 'compaction').length;
    expect(model.requestsFor('summary').length).toBeLessThanOrEqual(compactions + 1);
  });

  it('holds the step up for nobody: the turn goes on while it is being written', async () => {
    const { agent, model } = world(() => ({ hangs: true }), 10);
    const { sessionId } = await agent.createSession();
    const sent = await agent.send(sessionId, { message: 'Go on.' });
    const passes = async (enough: () => boolean) => {
      for (let pass = 0; pass < 2_000 && !enough(); pass++)
        await new Promise((resolve) => setImmediate(resolve));
    };
    await passes(() => purposes(model).includes('summary'));
    // It waits where the compaction needs it, and no earlier: then only cancelling ends it.
    await passes(() => purposes(model).at(-1) !== 'summary');
    expect(purposes(model).at(-1)).toBe('turn');
    expect(model.requestsFor('summary')).toHaveLength(1);
    await agent.cancel(sessionId);
    expect(sent.kind === 'started' && (await sent.ended)).toEqual({ kind: 'done', status: 'cancelled' });
  });

  it('counts once for the breaker where it was refused, and is not asked for again', async () => {
    const { agent, model, ask } = world(() => ({ failure: { kind: 'bad_request', message: 'no' } }));
    const { sessionId } = await agent.createSession();
    const events = await ask(sessionId, 'Go on for long.');
    const compactions = dataOf(events, 'compaction');
    expect(compactions.length).toBeGreaterThan(0);
    expect(model.requestsFor('summary').length).toBeLessThanOrEqual(compactions.length + 1);
    expect(compactions[0]).toMatchObject({ success: true, breaker: 'closed' });
  });

  it('is given up at the end of the turn where it is still being written', async () => {
    const { agent, model, ask } = world(() => ({ hangs: true }), 8);
    const { sessionId } = await agent.createSession();
    const events = await ask(sessionId, 'Only just there.');
    expect(dataOf(events, 'done')[0]).toMatchObject({ status: 'completed' });
    expect(dataOf(events, 'compaction')).toEqual([]);
    expect(model.requestsFor('summary')).toHaveLength(1);
    await agent.close();
  });

  it('that was ready at the end of a turn serves the next one', async () => {
    const { agent, model, ask } = world([{ text: 'WRITTEN AHEAD' }, { text: 'LATER' }], 8);
    const { sessionId } = await agent.createSession();
    await ask(sessionId, 'Only just there.');
    expect(model.requestsFor('summary')).toHaveLength(1);
    const events = await ask(sessionId, `And now? ${'Here is more to read. '.repeat(80)}`);
    expect(dataOf(events, 'compaction')).toHaveLength(1);
    expect(model.requestsFor('summary')).toHaveLength(1);
    const shown = model.requestsFor('turn').at(-1)?.messages.map(textOf).join('\n');
    expect(shown).toContain('WRITTEN AHEAD');
  });
});
