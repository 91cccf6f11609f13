import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recallContextTool } from '../builtin/recall-context.ts';
import type { Script } from '../llm/scripted-model.ts';
import { createTestAgent } from '../testing/test-agent.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { textsOf } from './stored-session.contract.ts';

const longTool = defineTool({
  name: 'survey',
  summary: { zh: '巡天', en: 'Survey' },
  description: { zh: '巡天', en: 'Survey' },
  input: z.object({}),
  effect: 'read',
  execute: async () => ({ text: `${'star '.repeat(200)}MIDDLE-MARK-88 ${'star '.repeat(200)}` }),
});

const call = (name: string, args: object, id = name) => ({
  toolCalls: [{ id, name, arguments: JSON.stringify(args) }],
});

async function sessionWith(script: Script) {
  const test = createTestAgent({ script, tools: [longTool as Tool, recallContextTool as Tool] });
  const { sessionId } = await test.agent.createSession({ title: 't' });
  const results = async () => {
    const messages = await test.agent.readMessages(sessionId, { agentName: 'lead', after: null, limit: 100 });
    return (messages ?? []).flatMap((message) => (message.role === 'tool' ? [message] : []));
  };
  return { ...test, sessionId, results };
}

describe('recall in a turn', () => {
  it('gives the model what was cut out of a long output, by query and by ref, never cut itself', async () => {
    const { ask, sessionId, results } = await sessionWith([
      call('survey', {}),
      call('recall_context', { query: 'MIDDLE-MARK-88' }, 'r1'),
      call('recall_context', { ref: 'm4', offset: 900 }, 'r2'),
      { text: 'Found.' },
    ]);
    await ask(sessionId, 'Look at the sky');
    const [cut, byQuery, byRef] = await results();
    expect(cut?.id).toBe('m4');
    expect(cut?.parts[0].text).not.toContain('MIDDLE-MARK-88');
    expect(cut?.parts[0].text).toContain('recall_context {"ref":"m4","offset":');
    for (const result of [byQuery, byRef]) {
      expect(result?.parts[0]).toMatchObject({
        status: 'ok',
        text: expect.stringContaining('MIDDLE-MARK-88'),
      });
      expect(result?.fullOutput).toBeUndefined();
    }
  });

  it('answers whoever holds the agent, of a session that is there', async () => {
    const { agent, ask, sessionId } = await sessionWith([call('survey', {}), { text: 'Done.' }]);
    await ask(sessionId, 'Look at the sky');
    const request = { agentName: '*', query: 'middle-mark-88', limitChars: 1_000, itemChars: 0 };
    expect(textsOf((await agent.recall(sessionId, request)) ?? expect.fail('no session'))[0]).toContain(
      'MARK-88',
    );
    expect(await agent.recall('nobody', request)).toBeNull();
    await agent.deleteSession(sessionId);
    expect(await agent.recall(sessionId, request)).toBeNull();
  });
});
