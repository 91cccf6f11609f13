/** Entries set by hand win over the table, figure by figure, and touch nothing else. */
import { describe, expect, it } from 'vitest';
import { KNOWN_MODELS } from './known-models.ts';
import { withOverrides } from './model-override.ts';
import { findModel } from './model-table.ts';

describe('withOverrides', () => {
  it('replaces single figures and keeps the others', () => {
    const table = withOverrides(KNOWN_MODELS, { 'gpt-4o': { windowTokens: 32_000, prices: { output: 12 } } });
    expect(findModel(table, 'openai/gpt-4o-2024-08-06')).toMatchObject({
      windowTokens: 32_000,
      maxOutputTokens: 16_384,
      pricesPerMillion: { input: 2.5, cachedInput: 1.25, output: 12 },
      tokenizer: 'o200k',
      source: 'config.json',
      asOf: null,
    });
    expect(table).toHaveLength(KNOWN_MODELS.length);
    expect(findModel(table, 'gpt-4o-mini')).toEqual(findModel(KNOWN_MODELS, 'gpt-4o-mini'));
  });

  it('makes an entry of a name that nobody knows, and leaves null what was not given', () => {
    const table = withOverrides(KNOWN_MODELS, { 'My-Model': { windowTokens: 32_000 } });
    expect(findModel(table, 'my-model')).toMatchObject({ windowTokens: 32_000, pricesPerMillion: null });
    expect(findModel(table, 'my-model-20250101')).toBeNull();
  });

  it('of a snapshot or of a router’s name leaves the model itself as it was', () => {
    const table = withOverrides(KNOWN_MODELS, {
      'gpt-4o-2024-08-06': { windowTokens: 1_000 },
      'local/gpt-4o': { windowTokens: 2_000 },
    });
    const windowOf = (name: string) => findModel(table, name)?.windowTokens;
    expect(['gpt-4o-2024-08-06', 'local/gpt-4o', 'gpt-4o', 'openai/gpt-4o'].map(windowOf)).toEqual([
      1_000, 2_000, 128_000, 128_000,
    ]);
  });
});
