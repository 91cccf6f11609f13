/** Reads the configuration once, as a whole, into one typed value (api.md, Environment). */
import path from 'node:path';
import { parseEnv } from 'node:util';
import {
  DEFAULT_SETTINGS,
  DEFAULT_WINDOW_TOKENS,
  findModel,
  KNOWN_MODELS,
  type LanguageSetting,
  largestRequest,
  type ModelTable,
  type PermissionMode,
  type Settings,
  type TokenizerFamily,
  withOverrides,
} from '@astroresearch/core';
import { CONFIG_FILE, readConfigFile } from './config-file.ts';
import { type Provider, VARIABLES, type Values } from './variables.ts';

export type Config = {
  readonly settings: Settings;
  readonly model: ModelConfig;
  readonly toolTimeoutMs: number;
  readonly maxToolOutputChars: number;
  readonly language: LanguageSetting;
  readonly permissionMode: PermissionMode;
  readonly folders: Folders;
  /** Of the SQLite file. */
  readonly databasePath: string;
  readonly host: string;
  readonly port: number;
  /** Null: made at the first start and kept in the data folder. */
  readonly authToken: string | null;
};

export type ModelConfig = {
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** Null: nobody knows. */
  readonly tokenizer: TokenizerFamily | null;
  readonly timeoutMs: number;
};

/** Absolute paths. */
export type Folders = {
  readonly home: string;
  readonly workspace: string;
  readonly skills: string;
  readonly memories: string;
};

export type ConfigSource = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Content of `.env`, null where there is none. Variables set in `env` win over it. */
  readonly envFile: string | null;
  /** Content of a file, null where there is none; may throw where it cannot be read. */
  readonly readFile: (path: string) => string | null;
  readonly userHome: string;
  readonly workingFolder: string;
};

/** `faults`: one line each, naming the variable or the place in `config.json`, its value and what is allowed. */
export type ConfigOutcome =
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

export function readConfig(source: ConfigSource): ConfigOutcome {
  const texts = { ...(source.envFile === null ? {} : parseEnv(source.envFile)), ...source.env };
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const text = texts[name]?.trim();
    if (text === undefined || text === '') {
      values[name] = variable.fallback;
      continue;
    }
    const parsed = variable.parse(text);
    if (parsed.ok) values[name] = parsed.value;
    else faults.push(`${name}=${shown(name, text)}: must be ${parsed.allowed}`);
  }
  const read = values as Values;
  if (faults.length === 0) faults.push(...crossFaults(read));
  const file = configFile(homeOf(read, source), source);
  faults.push(...file.faults);
  if (faults.length > 0) return { kind: 'faults', faults };
  return { kind: 'config', config: toConfig(read, source, withOverrides(KNOWN_MODELS, file.models)) };
}

function configFile(home: string, { readFile }: ConfigSource): ReturnType<typeof readConfigFile> {
  try {
    return readConfigFile(readFile(path.join(home, CONFIG_FILE)), KNOWN_MODELS);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { models: {}, faults: [`${CONFIG_FILE}: cannot be read (${reason})`] };
  }
}

function homeOf(values: Values, source: ConfigSource): string {
  return absolutePath(values.ASTRORESEARCH_HOME ?? '~/.astroresearch', source);
}

function absolutePath(folder: string, { userHome, workingFolder }: ConfigSource): string {
  return path.resolve(workingFolder, folder.replace(/^~(?=$|\/)/, userHome));
}

/** What no single variable can get wrong. */
function crossFaults(values: Values): readonly string[] {
  const faults: string[] = [];
  if (values.AGENT_TOKEN_HARD_LIMIT < values.AGENT_TOKEN_SOFT_LIMIT) {
    faults.push(
      `AGENT_TOKEN_HARD_LIMIT=${values.AGENT_TOKEN_HARD_LIMIT}: must be at least AGENT_TOKEN_SOFT_LIMIT (${values.AGENT_TOKEN_SOFT_LIMIT})`,
    );
  }
  if (values.DATABASE_URL !== null && !values.DATABASE_URL.startsWith('sqlite:')) {
    faults.push(
      `DATABASE_URL=${values.DATABASE_URL.split(':')[0]}:…: must be sqlite:<path>; other databases are not built in yet`,
    );
  }
  return faults;
}

const DEFAULTS: Readonly<Record<Provider, { readonly baseUrl: string; readonly model: string }>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-mini' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', model: 'claude-sonnet-4-5' },
  dashscope: { baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1', model: 'qwen-plus' },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', model: 'deepseek-chat' },
  offline: { baseUrl: '', model: 'offline-researcher' },
};

function toConfig(values: Values, source: ConfigSource, table: ModelTable): Config {
  const provider =
    values.LLM_PROVIDER ??
    (values.LLM_BASE_URL !== null || values.LLM_API_KEY !== null ? 'openai' : 'offline');
  const absolute = (folder: string) => absolutePath(folder, source);
  const home = homeOf(values, source);
  const model = values.LLM_MODEL ?? DEFAULTS[provider].model;
  const known = findModel(table, model);
  const project = source.workingFolder.replace(/[^A-Za-z0-9]/g, '-');
  return {
    settings: {
      turn: { maxSteps: values.AGENT_MAX_STEPS },
      budget: { softTokens: values.AGENT_TOKEN_SOFT_LIMIT, hardTokens: values.AGENT_TOKEN_HARD_LIMIT },
      compaction: {
        policy: values.AGENT_CONTEXT_POLICY,
        charLimit:
          values.AGENT_CONTEXT_CHAR_LIMIT ?? (values.AGENT_CONTEXT_POLICY === 'seed' ? 16_000 : null),
        maxMessages: values.AGENT_MAX_MESSAGES,
        windowTokens: largestRequest(
          values.LLM_CONTEXT_WINDOW ?? known?.windowTokens ?? DEFAULT_WINDOW_TOKENS,
        ),
      },
      models: { configured: model, table },
      retry: { ...DEFAULT_SETTINGS.retry, baseMs: values.AGENT_RETRY_BASE_MS },
      fallbackModel: values.FALLBACK_MODEL,
    },
    model: {
      provider,
      baseUrl: values.LLM_BASE_URL ?? DEFAULTS[provider].baseUrl,
      apiKey: values.LLM_API_KEY,
      model,
      tokenizer: known?.tokenizer ?? null,
      timeoutMs: values.LLM_TIMEOUT_SECS * 1_000,
    },
    toolTimeoutMs: values.AGENT_TOOL_TIMEOUT_SECS * 1_000,
    maxToolOutputChars: values.AGENT_MAX_TOOL_OUTPUT_CHARS,
    language: values.AGENT_LANGUAGE,
    permissionMode: values.AGENT_PERMISSION_MODE,
    folders: {
      home,
      workspace: absolute(values.AGENT_WORKSPACE),
      skills: absolute(values.AGENT_SKILLS_DIR),
      memories: absolute(values.AGENT_MEMORY_DIR ?? `~/.claude/projects/${project}/memory`),
    },
    databasePath:
      values.DATABASE_URL === null
        ? path.join(home, 'astroresearch.db')
        : absolute(values.DATABASE_URL.replace(/^sqlite:(\/\/(?=\/))?/, '')),
    host: values.HOST,
    port: values.PORT,
    authToken: values.AUTH_TOKEN,
  };
}

/** Secrets are never echoed. */
function shown(name: string, text: string): string {
  return /KEY|TOKEN$/.test(name) && !name.includes('LIMIT') ? '…' : text;
}
