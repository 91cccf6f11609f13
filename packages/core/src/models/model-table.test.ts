/** A name finds its model however a router or a snapshot writes it, and never a sibling. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KNOWN_MODELS } from './known-models.ts';
import { findModel, largestRequest } from './model-table.ts';

const nameOf = (name: string) => findModel(KNOWN_MODELS, name)?.name ?? null;
const NAMES = KNOWN_MODELS.flatMap(({ name, aliases }) => [name, ...aliases]);

describe('findModel', () => {
  it.each([
    ['gpt-4o', 'gpt-4o'],
    ['GPT-4o', 'gpt-4o'],
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['gpt-4o-mini-2024-07-18', 'gpt-4o-mini'],
    ['openai/gpt-4o', 'gpt-4o'],
    ['openrouter/openai/gpt-4o-mini', 'gpt-4o-mini'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-20250514', 'claude-sonnet-4'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['anthropic/claude-opus-4.1', 'claude-opus-4-1'],
    ['claude-3-5-haiku-latest', 'claude-3-5-haiku'],
    ['deepseek/deepseek-chat:free', 'deepseek-chat'],
    ['gemini-2.0-flash-001', 'gemini-2.0-flash'],
    ['MiniMax-M2.5', 'minimax-m2.5'],
  ])('%s is %s', (written, name) => {
    expect(nameOf(written)).toBe(name);
  });

  it.each([
    'gpt-4o-audio-preview',
    'gpt-4',
    'o1-preview',
    'o1-mini',
    'gpt-5-chat-latest',
    'claude-sonnet-4-9',
    'claude-sonnet-4-5-fast',
    'qwen-plus-2025-01-25',
    'qwen3-235b-a22b-2507',
    'mistral-large-2411',
    'gemini-2.5-flash-image',
    'grok-4-fast-non-reasoning',
    'qwen3-32b:8b',
    'my-gpt-4o',
    '',
    '/',
  ])('%j is nobody’s sibling', (written) => {
    expect(nameOf(written)).toBeNull();
  });

  it('gives every name its own entry, behind any prefix, as a snapshot and with a router’s suffix', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KNOWN_MODELS),
        fc.constantFrom('', 'openai/', 'a/b/'),
        fc.constantFrom('', ':free', ':nitro'),
        fc.constantFrom('', '-2031-02-03', '-20310203', '@20310203', '-latest'),
        (model, prefix, suffix, snapshot) => {
          const dated = snapshot === '' || model.coversSnapshots ? snapshot : '';
          expect(nameOf(`${prefix}${model.name}${dated}${suffix}`)).toBe(model.name);
        },
      ),
    );
  });

  it('takes nothing but a date behind a name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.stringMatching(/^[-.a-z0-9]{1,12}$/), (name, more) => {
        const written = name + more;
        fc.pre(!NAMES.includes(written) && !/^-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/.test(more));
        const found = nameOf(written);
        if (found === null) return;
        // What was added may have made the beginning of a date behind a shorter or a longer name.
        expect(written.slice(found.length)).toMatch(/^-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/);
      }),
    );
  });
});

describe('the shipped table', () => {
  it('names each model once, in small letters, with a page and a date', () => {
    expect(NAMES).toEqual([...new Set(NAMES)]);
    for (const { name, source, asOf } of KNOWN_MODELS) {
      expect(name).toBe(name.toLowerCase());
      expect(source).toMatch(/^https:\/\//);
      expect(asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  });

  it('has no figure that cannot be: an answer over the window, a cache dearer than the input', () => {
    for (const { name, windowTokens, maxOutputTokens, pricesPerMillion } of KNOWN_MODELS) {
      expect(maxOutputTokens ?? 1, name).toBeLessThanOrEqual(windowTokens ?? Infinity);
      if (pricesPerMillion === null) continue;
      const { input, cachedInput, output } = pricesPerMillion;
      expect(cachedInput ?? input, name).toBeLessThanOrEqual(input);
      expect(output, name).toBeGreaterThan(input);
    }
  });
});

describe('largestRequest', () => {
  it('leaves 8 000 tokens for the answer, a quarter of a small window', () => {
    expect([largestRequest(128_000), largestRequest(4_000)]).toEqual([120_000, 3_000]);
  });
});
