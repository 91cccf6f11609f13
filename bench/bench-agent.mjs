/** An agent whose model answers at once: what is left is the engine's own time. */
import { randomUUID } from 'node:crypto';
import { DEFAULT_SETTINGS, estimateTokens } from '@astroresearch/core';
import {
  createAgent,
  createInMemoryStore,
  createOutputsInMemory,
  defineTool,
  systemClock,
} from '@astroresearch/runtime';
import { z } from 'zod';

/** 1.4 KB of text, as in the peers' measurements. */
const RESULT = 'The quick brown fox jumps over the lazy dog. '.repeat(32).slice(0, 1400);

const lookUp = defineTool({
  name: 'look_up',
  summary: { zh: '查', en: 'Looks up' },
  description: { zh: '查', en: 'Looks up' },
  input: z.object({ n: z.number() }),
  effect: 'read',
  // Each result is new, or the engine would see that nothing new comes and end the turn.
  execute: async ({ n }) => ({ text: `${n}: ${RESULT}` }),
});

/** Each turn takes `steps` steps of one tool call each, then answers. */
export function benchAgent({ steps, store = createInMemoryStore() }) {
  let calls = 0;
  const model = {
    provider: 'bench',
    defaultModel: 'instant',
    async *stream() {
      calls += 1;
      if (calls % (steps + 1) === 0) {
        yield { type: 'text', text: 'Done.' };
        yield { type: 'finish', reason: 'stop' };
        return;
      }
      const call = {
        type: 'tool-call',
        toolCallId: `call-${calls}`,
        name: 'look_up',
        arguments: `{"n":${calls}}`,
      };
      yield { type: 'tool-call', call };
      yield { type: 'finish', reason: 'tool-calls' };
    },
  };
  const agent = createAgent({
    store,
    model,
    profile: { identity: { zh: '', en: 'You are a benchmark.' }, principles: { zh: '', en: 'Be quick.' } },
    tools: [lookUp],
    skills: async () => [],
    memories: async () => [],
    files: {
      read: async () => new Uint8Array(),
      write: async () => ({ bytes: 0, created: false }),
      list: async () => ({ entries: [], more: false }),
    },
    outputs: createOutputsInMemory(),
    settings: {
      ...DEFAULT_SETTINGS,
      turn: { maxSteps: steps + 1 },
      // Out of the way: what is measured is a step, not a compaction.
      budget: { softTokens: 1e9, hardTokens: 1e9 },
      compaction: { ...DEFAULT_SETTINGS.compaction, windowTokens: 1e9 },
    },
    toolLimits: { timeoutMs: 10_000, maxOutputChars: 4_000 },
    language: 'en',
    permissionMode: 'default',
    countTokens: estimateTokens,
    clock: systemClock,
    ids: randomUUID,
    reportFault: (what, error) => console.error(what, error),
  });
  return { agent, model };
}

export async function runTurn(agent, sessionId) {
  const sent = await agent.send(sessionId, { message: 'go' });
  if (sent.kind !== 'started') throw new Error(sent.kind);
  const end = await sent.ended;
  if (end.kind !== 'done') throw end.error;
}
