/** A real agent over the shipped fakes: scripted model, store in memory, a clock that stands still. */
import { DEFAULT_SETTINGS, estimateTokens } from '@astroresearch/core';
import {
  type Agent,
  type Clock,
  createAgent,
  createInMemoryStore,
  createOutputsInMemory,
  createScriptedModel,
  type Script,
  type ScriptedModel,
  type Store,
  ToolError,
  type WorkspaceFiles,
} from '@astroresearch/runtime';

export type TestAgent = { readonly agent: Agent; readonly model: ScriptedModel };

export function createTestAgent(parts: {
  readonly clock: Clock;
  readonly replies: Script;
  readonly store?: Store;
}): TestAgent {
  const model = createScriptedModel({ replies: parts.replies });
  let count = 0;
  const agent = createAgent({
    store: parts.store ?? createInMemoryStore(),
    model,
    profile: { identity: { zh: '助手', en: 'Assistant' }, principles: { zh: '准确', en: 'Be exact' } },
    tools: [],
    skills: async () => [],
    memories: async () => [],
    files: NO_FILES,
    outputs: createOutputsInMemory(),
    settings: DEFAULT_SETTINGS,
    toolLimits: { timeoutMs: 1000, maxOutputChars: 4000 },
    language: 'en',
    permissionMode: 'default',
    countTokens: estimateTokens,
    clock: parts.clock,
    ids: () => `id-${++count}`,
    reportFault: () => {},
  });
  return { agent, model };
}

/** The workspace of an agent that was given no folder. */
const NO_FILES: WorkspaceFiles = {
  read: () => Promise.reject(new ToolError('There is no workspace.')),
  write: () => Promise.reject(new ToolError('There is no workspace.')),
  list: () => Promise.reject(new ToolError('There is no workspace.')),
};
