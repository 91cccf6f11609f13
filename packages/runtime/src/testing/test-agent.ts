/** An agent on shipped fakes: scripted model, in-memory store, manual clock, counted ids. For tests. */
import {
  DEFAULT_SETTINGS,
  type PublishedEvent,
  type Settings,
  toWire,
  type WireEvent,
} from '@astroresearch/core';
import { z } from 'zod';
import { createAgent } from '../agent.ts';
import type { AgentParts } from '../agent-parts.ts';
import type { TurnRequest } from '../agent-types.ts';
import { createScriptedModel, type Script, type ScriptedModel } from '../llm/scripted-model.ts';
import { createManualClock } from '../manual-clock.ts';
import { createOutputsInMemory } from '../outputs/outputs-in-memory.ts';
import { createInMemoryStore } from '../store/in-memory.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { WorkspaceFiles } from '../tools/workspace-files.ts';
import { BrokenRequest } from '../turn/call-model.ts';

const NO_FILES: WorkspaceFiles = {
  read: () => Promise.reject(new Error('no files here')),
  write: () => Promise.reject(new Error('no files here')),
  list: () => Promise.resolve({ entries: [], more: false }),
};

/** Repeats its text; reads only. */
export const echoTool = defineTool({
  name: 'echo',
  summary: { zh: '复述', en: 'Repeats a text' },
  description: { zh: '复述文本', en: 'Repeats a text' },
  input: z.object({ text: z.string() }),
  effect: 'read',
  execute: async ({ text }) => ({ text }),
});

export type TestAgentOptions = {
  readonly script: Script;
  readonly tools?: readonly Tool[];
  readonly settings?: Partial<Settings>;
  readonly parts?: Partial<AgentParts>;
};

export function createTestAgent({ script, tools = [echoTool as Tool], settings, parts }: TestAgentOptions) {
  let made = 0;
  const clock = createManualClock(1_000);
  const model: ScriptedModel = createScriptedModel({ replies: script });
  const faults: unknown[] = [];
  const agent = createAgent({
    store: createInMemoryStore(),
    model,
    profile: {
      identity: { zh: '你是测试。', en: 'You are a test.' },
      principles: { zh: '简短。', en: 'Be short.' },
    },
    tools,
    skills: async () => [],
    memories: async () => [],
    files: NO_FILES,
    outputs: createOutputsInMemory(),
    settings: { ...DEFAULT_SETTINGS, ...settings },
    toolLimits: { timeoutMs: 1_000, maxOutputChars: 400 },
    language: 'auto',
    permissionMode: 'default',
    countTokens: (text) => Math.ceil(text.length / 4),
    clock,
    ids: () => {
      made += 1;
      return `id-${made}`;
    },
    reportFault: (_, error) => {
      // No test may pass over a request that was broken.
      if (error instanceof BrokenRequest) throw error;
      faults.push(error);
    },
    ...parts,
  });

  /** Runs one turn to its end and gives its wire events, transient ones included. */
  async function ask(
    sessionId: string,
    message: string,
    request: Partial<TurnRequest> = {},
  ): Promise<WireEvent[]> {
    const sent = await agent.send(sessionId, { message, ...request });
    if (sent.kind !== 'started') throw new Error(`the turn did not start: ${sent.kind}`);
    return readTurn(sessionId, sent.turnId, sent.firstSeq);
  }

  async function readTurn(sessionId: string, turnId: string, firstSeq: number): Promise<WireEvent[]> {
    const reading = new AbortController();
    const events = await agent.subscribe(sessionId, { afterSeq: firstSeq - 1, signal: reading.signal });
    const seen: WireEvent[] = [];
    for await (const event of events ?? ([] as PublishedEvent[])) {
      if (event.turnId !== turnId) continue;
      seen.push(toWire(sessionId, event));
      if (event.type === 'done') reading.abort();
    }
    return seen;
  }

  return { agent, model, clock, ask, readTurn, faults };
}

export const durable = (events: readonly WireEvent[]) => events.filter((event) => event.seq !== null);
export const typesOf = (events: readonly WireEvent[]) => durable(events).map((event) => event.type);
export const dataOf = (events: readonly WireEvent[], type: string) =>
  events.filter((event) => event.type === type).map((event) => event.data);
