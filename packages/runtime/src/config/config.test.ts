/** Configuration is validated as a whole (api.md, Environment). */
import { readFileSync } from 'node:fs';
import { DEFAULT_SETTINGS } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { type ConfigSource, readConfig } from './config.ts';
import { VARIABLES } from './variables.ts';

const source = (
  env: Record<string, string>,
  envFile: string | null = null,
  files: Readonly<Record<string, string>> = {},
): ConfigSource => ({
  env,
  envFile,
  readFile: (path) => files[path] ?? null,
  userHome: '/home/ada',
  workingFolder: '/home/ada/project',
});

function configOf(env: Record<string, string>, envFile: string | null = null) {
  const outcome = readConfig(source(env, envFile));
  if (outcome.kind === 'faults') throw new Error(outcome.faults.join('\n'));
  return outcome.config;
}

function faultsOf(env: Record<string, string>) {
  const outcome = readConfig(source(env));
  return outcome.kind === 'faults' ? outcome.faults : [];
}

describe('readConfig', () => {
  it('starts offline, on loopback, with the seed’s defaults when nothing is set', () => {
    const config = configOf({});
    expect(config.model.provider).toBe('offline');
    expect([config.host, config.port, config.authToken]).toEqual(['127.0.0.1', 8787, null]);
    const { models } = DEFAULT_SETTINGS;
    expect(config.settings).toEqual({
      ...DEFAULT_SETTINGS,
      models: { ...models, configured: 'offline-researcher' },
    });
    expect(config.databasePath).toBe('/home/ada/.astroresearch/astroresearch.db');
    expect(config.folders).toEqual({
      home: '/home/ada/.astroresearch',
      workspace: '/home/ada/project/workspace',
      skills: '/home/ada/project/skills',
      memories: '/home/ada/.claude/projects/-home-ada-project/memory',
    });
  });

  it.each([[{ LLM_BASE_URL: 'http://127.0.0.1:1/v1' }], [{ LLM_API_KEY: 'k' }]])(
    'takes openai as soon as an address or a key is set: %o',
    (env) => {
      expect(configOf(env).model.provider).toBe('openai');
    },
  );

  it('names every bad variable on a line of its own, with its value and what is allowed', () => {
    expect(faultsOf({ AGENT_MAX_STEPS: 'many', LLM_PROVIDER: 'oracle', PORT: '70000' })).toEqual([
      'AGENT_MAX_STEPS=many: must be a whole number from 1 to 1000',
      'LLM_PROVIDER=oracle: must be one of openai, anthropic, dashscope, deepseek, offline',
      'PORT=70000: must be a whole number from 0 to 65535',
    ]);
  });

  it('refuses a hard limit below the soft one', () => {
    expect(faultsOf({ AGENT_TOKEN_SOFT_LIMIT: '9000', AGENT_TOKEN_HARD_LIMIT: '8000' })).toEqual([
      'AGENT_TOKEN_HARD_LIMIT=8000: must be at least AGENT_TOKEN_SOFT_LIMIT (9000)',
    ]);
  });

  it('says so where a database is not built in, without echoing a password', () => {
    const [fault] = faultsOf({ DATABASE_URL: 'postgres://ada:secret@db/x' });
    expect(fault).toContain('DATABASE_URL');
    expect(fault).not.toContain('secret');
  });

  it('lets the environment win over .env, and takes an empty value as unset', () => {
    const config = configOf({ PORT: '9001', AGENT_MAX_STEPS: '' }, 'PORT=9000\nAGENT_MAX_STEPS=5\n');
    expect(config.port).toBe(9001);
    expect(config.settings.turn.maxSteps).toBe(8);
    expect(configOf({}, 'AGENT_MAX_STEPS=5\n').settings.turn.maxSteps).toBe(5);
  });

  it('sets the character limit of the seed policy only there', () => {
    expect(configOf({ AGENT_CONTEXT_POLICY: 'seed' }).settings.compaction.charLimit).toBe(16_000);
    expect(configOf({ AGENT_CONTEXT_CHAR_LIMIT: '9000' }).settings.compaction.charLimit).toBe(9_000);
  });

  it('takes the window of the configured model from the table, unless it is set', () => {
    const windowOf = (env: Record<string, string>) => configOf(env).settings.compaction.windowTokens;
    expect(windowOf({ LLM_MODEL: 'claude-sonnet-4-5' })).toBe(192_000);
    expect(windowOf({ LLM_MODEL: 'claude-sonnet-4-5', LLM_CONTEXT_WINDOW: '64000' })).toBe(56_000);
    expect(windowOf({ LLM_MODEL: 'nobody-knows-it' })).toBe(120_000);
  });

  it('has every variable documented in .env.example, and nothing else', () => {
    const example = readFileSync(new URL('../../../../.env.example', import.meta.url), 'utf8');
    const documented = [...example.matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map((match) => match[1]);
    expect(documented.sort()).toEqual(Object.keys(VARIABLES).sort());
  });
});
