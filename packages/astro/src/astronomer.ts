/** The runtime with the astronomy profile put in: what the server and the command line both start. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type Agent,
  builtInTools,
  type Clock,
  type Config,
  createAgent,
  createAnthropicModel,
  createMemoryFiles,
  createOpenAiModel,
  createOutputStore,
  type Ids,
  type LanguageModel,
  loadSkills,
  openSqliteStore,
  openWorkspace,
  StoreError,
  tokenCounterFor,
} from '@astroresearch/runtime';
import { createOfflineResearcher } from './offline/offline-researcher.ts';
import { ASTRONOMER } from './profile.ts';
import { astroTools } from './tools/astro-tools.ts';

export type Astronomer = { readonly agent: Agent; readonly model: LanguageModel };

/** What of the world the product runs in; passed in by the command that starts it. */
export type World = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly fetch: typeof globalThis.fetch;
  readonly reportFault: (what: string, error: unknown) => void;
  /** Called once where the store has failed for good: nothing is written any more, and the process should end. */
  readonly storeFailed?: (fault: StoreError) => void;
};

/** How many memories a new session's prompt carries. */
const RECENT_MEMORIES = 5;

/** Makes missing folders. Rejects with `StoreError` where the database cannot be opened. */
export async function openAstronomer(config: Config, world: World): Promise<Astronomer> {
  const { clock, ids, reportFault, storeFailed = () => {} } = world;
  const { folders } = config;
  await makeFolder(folders.home, 'ASTRORESEARCH_HOME');
  await makeFolder(folders.workspace, 'AGENT_WORKSPACE');
  const store = openSqliteStore({ path: config.databasePath, clock, failed: storeFailed });
  const memories = createMemoryFiles({ folder: folders.memories, clock, ids });
  const model = createModel(config, world);
  const agent = createAgent({
    store,
    model,
    profile: ASTRONOMER,
    tools: [...astroTools(), ...builtInTools({ memories })],
    skills: async () => {
      const { skills, broken } = await loadSkills(folders.skills);
      for (const { folder, reason } of broken) reportFault(`skill ${folder}`, new Error(reason));
      return skills;
    },
    memories: async () => {
      const { memories: recent, broken } = await memories.recent(RECENT_MEMORIES);
      for (const { file, reason } of broken) reportFault(`memory ${file}`, new Error(reason));
      return recent;
    },
    files: await openWorkspace(folders.workspace, ids),
    outputs: createOutputStore({ folder: path.join(folders.home, 'outputs'), ids }),
    settings: config.settings,
    toolLimits: { timeoutMs: config.toolTimeoutMs, maxOutputChars: config.maxToolOutputChars },
    language: config.language,
    permissionMode: config.permissionMode,
    countTokens: await tokenCounterFor(
      config.model.provider === 'offline' ? null : config.model.model,
      config.model.tokenizer,
    ),
    secrets: [config.model.apiKey, config.authToken].filter((secret) => secret !== null),
    clock,
    ids,
    reportFault,
  });
  return { agent, model };
}

/** Throws, in words that name the folder and the variable that moves it. */
async function makeFolder(folder: string, variable: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const mend = `Make it a folder that you may write to, or set ${variable} to another one.`;
    throw new StoreError('read_only', `${folder} cannot be used as a folder (${reason}). ${mend}`, {
      cause: error,
    });
  }
}

/** The model that the configuration names; nothing is asked of it yet. */
export function createModel(
  { model }: Config,
  { clock, ids, fetch }: Pick<World, 'clock' | 'ids' | 'fetch'>,
): LanguageModel {
  const httpOptions = ({ baseUrl, apiKey, model: defaultModel, timeoutMs }: Config['model']) => ({
    baseUrl,
    ...(apiKey === null ? {} : { apiKey }),
    defaultModel,
    timeoutMs,
    fetch,
    clock,
    ids,
  });
  switch (model.provider) {
    case 'offline':
      return createOfflineResearcher();
    case 'openai':
    case 'dashscope':
    case 'deepseek':
      return createOpenAiModel({ ...httpOptions(model), provider: model.provider });
    case 'anthropic':
      return createAnthropicModel(httpOptions(model));
    default:
      return model.provider satisfies never;
  }
}
