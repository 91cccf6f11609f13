/** `config.json` of the data folder: what is taken from it, and what is refused, line by line. */
import { findModel, KNOWN_MODELS } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { readConfigFile } from './config-file.ts';

const faultsOf = (value: unknown) => readConfigFile(JSON.stringify(value), KNOWN_MODELS).faults;

function configWith(text: string, env: Record<string, string> = {}) {
  const files: Record<string, string> = { '/data/config.json': text };
  const readFile = (path: string) => files[path] ?? null;
  const where = { envFile: null, userHome: '/home/ada', workingFolder: '/home/ada/project', readFile };
  return readConfig({ env: { ASTRORESEARCH_HOME: '/data', ...env }, ...where });
}

describe('readConfigFile', () => {
  it('takes whole and partial entries, and leaves other keys alone', () => {
    const text = JSON.stringify({
      hooks: 7,
      models: {
        'my-model': {
          window_tokens: 32_000,
          max_output_tokens: 4_096,
          prices_per_million_usd: { input: 1, cached_input: 0.1, output: 5 },
          tokenizer: 'o200k',
        },
        'gpt-4o': { prices_per_million_usd: { output: 11 } },
      },
    });
    const { models, faults } = readConfigFile(text, KNOWN_MODELS);
    expect(faults).toEqual([]);
    expect(models).toEqual({
      'my-model': {
        windowTokens: 32_000,
        maxOutputTokens: 4_096,
        prices: { input: 1, cachedInput: 0.1, output: 5 },
        tokenizer: 'o200k',
      },
      'gpt-4o': { prices: { output: 11 } },
    });
  });

  it('takes a missing file, and one without models', () => {
    expect(readConfigFile(null, KNOWN_MODELS)).toEqual({ models: {}, faults: [] });
    expect(readConfigFile('{"permissions":{}}', KNOWN_MODELS)).toEqual({ models: {}, faults: [] });
  });

  it('names every fault on a line of its own', () => {
    const models = {
      a: { window_tokens: 'many', windows: 3, tokenizer: 'morse' },
      b: 5,
      c: { prices_per_million_usd: { input: -1, output: 2 } },
      d: { prices_per_million_usd: { input: 1 } },
    };
    expect(faultsOf({ models })).toEqual([
      'config.json: models.a.windows: is not known; known are window_tokens, max_output_tokens, prices_per_million_usd, tokenizer',
      'config.json: models.a.tokenizer="morse": must be one of o200k, claude, deepseek, gemini, glm, grok, kimi, llama, minimax, mistral, qwen',
      'config.json: models.a.window_tokens="many": must be a whole number from 1000 to 100000000',
      'config.json: models.b=5: must be an object',
      'config.json: models.c.prices_per_million_usd.input=-1: must be a number from 0 to 1000000',
      'config.json: models.d.prices_per_million_usd={"input":1}: must be given with input and output: the table has neither for this model',
    ]);
  });

  it.each(['', '{', '[]', '"x"', 'null'])('refuses %j', (text) => {
    expect(readConfigFile(text, KNOWN_MODELS).faults).toEqual(['config.json: must be a JSON object']);
  });
});

describe('readConfig with a config.json', () => {
  it('sets window, tokenizer and table by it', () => {
    const text = '{"models":{"mine":{"window_tokens":16000,"tokenizer":"o200k"}}}';
    const outcome = configWith(text, { LLM_MODEL: 'mine' });
    if (outcome.kind === 'faults') throw new Error(outcome.faults.join());
    const { settings, model } = outcome.config;
    expect(settings.compaction.windowTokens).toBe(12_000);
    expect(model.tokenizer).toBe('o200k');
    expect(findModel(settings.models.table, 'mine')?.source).toBe('config.json');
  });

  it('reports its faults with those of the environment, and a file that cannot be read', () => {
    expect(configWith('{', { PORT: 'x' })).toMatchObject({
      faults: [expect.stringContaining('PORT=x'), 'config.json: must be a JSON object'],
    });
    const readFile = () => {
      throw new Error('EACCES');
    };
    const where = { env: {}, envFile: null, userHome: '/h', workingFolder: '/h', readFile };
    expect(readConfig(where)).toMatchObject({ faults: ['config.json: cannot be read (EACCES)'] });
  });
});
