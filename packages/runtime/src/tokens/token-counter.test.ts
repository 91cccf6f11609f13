/** Counts as the tokenizer itself gives them, and counts that hostile text cannot make endless. */
import { estimateTokens } from '@astroresearch/core';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { loadO200k, tokenCounterFor } from './token-counter.ts';

const PROSE =
  'The Hubble constant from Cepheids is 73.04 ± 1.04 km/s/Mpc (Riess et al. 2022). 哈勃常数的两种测量相差约五个标准差。\n';

describe('tokenCounterFor', () => {
  it('takes the real tokenizer for the models of its family, whatever gateway names them', async () => {
    for (const model of ['gpt-4o', 'gpt-5-mini', 'openai/gpt-4.1-nano', 'o3'])
      expect(await tokenCounterFor(model)).not.toBe(estimateTokens);
    for (const model of ['gpt-3.5-turbo', 'qwen3-max', 'proto3', null])
      expect(await tokenCounterFor(model)).toBe(estimateTokens);
  });

  it('is told the family of a model that the table knows, whatever its name', async () => {
    expect(await tokenCounterFor('my-model', 'o200k')).not.toBe(estimateTokens);
    expect(await tokenCounterFor('gpt-4o', 'qwen')).toBe(estimateTokens);
  });
});

describe('the o200k counter', () => {
  it('agrees with the tokenizer on short texts, and within one in a hundred on long ones', async () => {
    const count = await loadO200k();
    expect(count(PROSE)).toBe(encode(PROSE).length);
    const long = PROSE.repeat(60);
    expect(Math.abs(count(long) / encode(long).length - 1)).toBeLessThan(0.01);
  });

  it('counts text that looks like a control token, and no text as nothing', async () => {
    const count = await loadO200k();
    expect(count('<|endoftext|>')).toBeGreaterThan(1);
    expect(count('')).toBe(0);
  });

  it('splits no character', async () => {
    const count = await loadO200k();
    // Halves of a pair would count as several broken bytes each.
    expect(count('🌌'.repeat(1_500))).toBeLessThanOrEqual(encode('🌌'.repeat(100)).length * 15 + 15);
  });

  it('takes a run of one character in pieces', async () => {
    const count = await loadO200k();
    expect(count(' '.repeat(100_000))).toBeGreaterThan(0);
    expect(count('='.repeat(30_000))).toBeGreaterThan(0);
  });
});
