/** The astronomer on shipped fakes: offline researcher, in-memory store, manual clock, counted ids. For tests. */
import { DEFAULT_SETTINGS, estimateTokens, type Message } from '@astroresearch/core';
import {
  type AgentParts,
  builtInTools,
  createAgent,
  createInMemoryStore,
  createManualClock,
  createOutputsInMemory,
  type MemoryFiles,
  type TurnEnd,
  type TurnRequest,
  type WorkspaceFiles,
} from '@astroresearch/runtime';
import { createOfflineResearcher } from '../offline/offline-researcher.ts';
import { ASTRONOMER } from '../profile.ts';
import { astroTools } from '../tools/astro-tools.ts';

const NO_FILES: WorkspaceFiles = {
  read: () => Promise.reject(new Error('no files here')),
  write: () => Promise.reject(new Error('no files here')),
  list: () => Promise.resolve({ entries: [], more: false }),
};

const NO_MEMORIES: MemoryFiles = {
  save: () => Promise.reject(new Error('no memories here')),
  recent: () => Promise.resolve({ memories: [], broken: [] }),
};

/** `messages`: of this turn, in their order; `answer`: the text of the last one. */
export type Answered = {
  readonly answer: string;
  readonly messages: readonly Message[];
  readonly end: TurnEnd;
};

export function createResearchAgent(parts: Partial<AgentParts> = {}) {
  let made = 0;
  const model = createOfflineResearcher();
  const planning = builtInTools({ memories: NO_MEMORIES }).filter(({ name }) => name === 'todo_write');
  const agent = createAgent({
    store: createInMemoryStore(),
    model,
    profile: ASTRONOMER,
    tools: [...astroTools(), ...planning],
    skills: async () => [],
    memories: async () => [],
    files: NO_FILES,
    outputs: createOutputsInMemory(),
    settings: DEFAULT_SETTINGS,
    toolLimits: { timeoutMs: 10_000, maxOutputChars: 4_000 },
    language: 'auto',
    permissionMode: 'default',
    countTokens: estimateTokens,
    clock: createManualClock(Date.UTC(2026, 3, 1)),
    ids: () => {
      made += 1;
      return `id-${made}`;
    },
    reportFault: (what, error) => {
      throw new Error(what, { cause: error });
    },
    ...parts,
  });

  async function ask(
    sessionId: string,
    message: string,
    request: Partial<TurnRequest> = {},
  ): Promise<Answered> {
    const before = (await read(sessionId)).length;
    const sent = await agent.send(sessionId, { message, ...request });
    if (sent.kind !== 'started') throw new Error(`the turn did not start: ${sent.kind}`);
    const end = await sent.ended;
    const messages = (await read(sessionId)).slice(before);
    const last = messages.at(-1);
    const answer =
      last?.role === 'assistant' ? last.parts.map((part) => ('text' in part ? part.text : '')) : [];
    return { answer: answer.join(''), messages, end };
  }

  async function read(sessionId: string): Promise<readonly Message[]> {
    return (await agent.readMessages(sessionId, { agentName: 'lead', after: null, limit: 10_000 })) ?? [];
  }

  return { agent, model, ask, read, newSession: async () => (await agent.createSession()).sessionId };
}
