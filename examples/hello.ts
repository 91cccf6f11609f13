/** An agent in forty lines: a scripted model, one tool of your own, an in-memory store. After a build: node examples/hello.ts (Node 22.18+). */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { DEFAULT_SETTINGS, estimateTokens, toWire } from '@astroresearch/core';
import {
  createAgent,
  createInMemoryStore,
  createOutputsInMemory,
  createScriptedModel,
  defineTool,
  openWorkspace,
  systemClock,
  type Tool,
} from '@astroresearch/runtime';
import { z } from 'zod';

/** Distance from a parallax; reads nothing, changes nothing. */
const distance = defineTool({
  name: 'distance_from_parallax',
  summary: { zh: '由视差求距离', en: 'Distance from a parallax' },
  description: {
    zh: '由视差（毫角秒）求距离（秒差距）。',
    en: 'Distance in parsecs from a parallax in milliarcseconds.',
  },
  input: z.object({ parallax_mas: z.number().positive() }),
  effect: 'read',
  execute: async ({ parallax_mas }) => ({ text: `${(1000 / parallax_mas).toFixed(2)} pc` }),
});

export async function hello(write: (line: string) => void): Promise<void> {
  const agent = createAgent({
    store: createInMemoryStore(),
    model: createScriptedModel({
      replies: [
        { toolCalls: [{ name: 'distance_from_parallax', arguments: { parallax_mas: 768.07 } }] },
        { text: 'Proxima Centauri is 1.30 pc away.' },
      ],
    }),
    profile: {
      identity: { zh: '你是助手。', en: 'You are an assistant.' },
      principles: { zh: '', en: 'Use tools.' },
    },
    tools: [distance as Tool],
    skills: async () => [],
    memories: async () => [],
    files: await openWorkspace('.', randomUUID),
    outputs: createOutputsInMemory(),
    settings: DEFAULT_SETTINGS,
    toolLimits: { timeoutMs: 10_000, maxOutputChars: 4_000 },
    language: 'auto',
    permissionMode: 'default',
    countTokens: estimateTokens,
    clock: systemClock,
    ids: randomUUID,
    reportFault: (what, error) => write(`${what}: ${error}`),
  });
  const { sessionId } = await agent.createSession();
  const sent = await agent.send(sessionId, {
    message: 'How far is Proxima Centauri? Its parallax is 768.07 mas.',
  });
  if (sent.kind !== 'started') throw new Error(sent.kind);
  const reading = new AbortController();
  for await (const event of (await agent.subscribe(sessionId, { afterSeq: 0, signal: reading.signal })) ??
    []) {
    const { type, data } = toWire(sessionId, event);
    write(`${type} ${data.content ?? data.output_preview ?? data.name ?? ''}`.trim());
    if (type === 'done') reading.abort();
  }
  await agent.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await hello(console.log);
