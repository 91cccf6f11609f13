/**
 * The shipped table, vendor by vendor. `source` is the vendor's page for them; the figures were gathered from public
 * lists and copies, `asOf` being their newest date. What none of them confirmed is null.
 */
import type { KnownModel, ModelPrices, ModelTable, TokenizerFamily } from './model-table.ts';

type Vendor = { readonly source: string; readonly asOf: string; readonly tokenizer: TokenizerFamily };
type More = { readonly aliases?: readonly string[]; readonly coversSnapshots?: false };

/** Input, cached input, output. */
type PriceRow = readonly [number, number | null, number];

function model(
  name: string,
  windowTokens: number | null,
  maxOutputTokens: number | null,
  prices: PriceRow | null,
  more: More = {},
) {
  return { name, windowTokens, maxOutputTokens, prices, more };
}

function of(vendor: Vendor, rows: readonly ReturnType<typeof model>[]): readonly KnownModel[] {
  return rows.map(({ name, windowTokens, maxOutputTokens, prices, more }) => ({
    name,
    aliases: more.aliases ?? [],
    coversSnapshots: more.coversSnapshots ?? true,
    windowTokens,
    maxOutputTokens,
    pricesPerMillion: prices === null ? null : pricesOf(prices),
    ...vendor,
  }));
}

function pricesOf([input, cachedInput, output]: PriceRow): ModelPrices {
  return { input, cachedInput, output };
}

const OPENAI: Vendor = {
  source: 'https://platform.openai.com/docs/pricing',
  asOf: '2025-12-11',
  tokenizer: 'o200k',
};
const ANTHROPIC: Vendor = {
  source: 'https://docs.claude.com/en/docs/about-claude/pricing',
  asOf: '2026-03-13',
  tokenizer: 'claude',
};
const DEEPSEEK: Vendor = {
  source: 'https://api-docs.deepseek.com/quick_start/pricing',
  asOf: '2026-02-11',
  tokenizer: 'deepseek',
};
const ALIBABA: Vendor = {
  source: 'https://www.alibabacloud.com/help/en/model-studio/models',
  asOf: '2025-09-23',
  tokenizer: 'qwen',
};
const MOONSHOT: Vendor = {
  source: 'https://platform.moonshot.ai/docs/pricing/chat',
  asOf: '2026-01-31',
  tokenizer: 'kimi',
};
const ZHIPU: Vendor = {
  source: 'https://docs.z.ai/guides/overview/pricing',
  asOf: '2025-12-22',
  tokenizer: 'glm',
};
const GOOGLE: Vendor = {
  source: 'https://ai.google.dev/gemini-api/docs/pricing',
  asOf: '2025-06-17',
  tokenizer: 'gemini',
};
const MISTRAL: Vendor = { source: 'https://mistral.ai/pricing', asOf: '2025-12-02', tokenizer: 'mistral' };
const META: Vendor = {
  source: 'https://www.llama.com/docs/model-cards-and-prompt-formats/',
  asOf: '2025-04-05',
  tokenizer: 'llama',
};
const XAI: Vendor = { source: 'https://docs.x.ai/docs/models', asOf: '2025-09-19', tokenizer: 'grok' };
const MINIMAX: Vendor = {
  source: 'https://platform.minimax.io/docs/guides/pricing',
  asOf: '2026-02-12',
  tokenizer: 'minimax',
};

export const KNOWN_MODELS: ModelTable = [
  ...of(OPENAI, [
    model('gpt-4o', 128_000, 16_384, [2.5, 1.25, 10]),
    model('gpt-4o-2024-05-13', 128_000, null, [5, null, 15]),
    model('gpt-4o-mini', 128_000, 16_384, [0.15, 0.075, 0.6]),
    model('gpt-4.1', 1_047_576, 32_768, [2, 0.5, 8]),
    model('gpt-4.1-mini', 1_047_576, 32_768, [0.4, 0.1, 1.6]),
    model('gpt-4.1-nano', 1_047_576, 32_768, [0.1, 0.025, 0.4]),
    // Of a window of 400 000, at most 272 000 are for the input.
    model('gpt-5', 272_000, 128_000, [1.25, 0.125, 10]),
    model('gpt-5-mini', 272_000, 128_000, [0.25, 0.025, 2]),
    model('gpt-5-nano', 272_000, 128_000, [0.05, 0.005, 0.4]),
    model('gpt-5.1', 272_000, 128_000, [1.25, 0.125, 10]),
    model('gpt-5.2', 272_000, 128_000, [1.75, 0.175, 14]),
    model('o1', 200_000, 100_000, [15, 7.5, 60]),
    model('o3', 200_000, 100_000, [2, 0.5, 8]),
    model('o3-mini', 200_000, 100_000, [1.1, 0.55, 4.4]),
    model('o4-mini', 200_000, 100_000, [1.1, 0.275, 4.4]),
  ]),
  ...of(ANTHROPIC, [
    model('claude-3-5-haiku', 200_000, 8_192, [0.8, 0.08, 4], { aliases: ['claude-3.5-haiku'] }),
    model('claude-3-5-sonnet', 200_000, 8_192, [3, 0.3, 15], { aliases: ['claude-3.5-sonnet'] }),
    model('claude-3-7-sonnet', 200_000, 64_000, [3, 0.3, 15], { aliases: ['claude-3.7-sonnet'] }),
    model('claude-sonnet-4', 200_000, 64_000, [3, 0.3, 15], { aliases: ['claude-sonnet-4-0'] }),
    model('claude-opus-4', 200_000, 32_000, [15, 1.5, 75], { aliases: ['claude-opus-4-0'] }),
    model('claude-opus-4-1', 200_000, 32_000, [15, 1.5, 75], { aliases: ['claude-opus-4.1'] }),
    model('claude-haiku-4-5', 200_000, 64_000, [1, 0.1, 5], { aliases: ['claude-haiku-4.5'] }),
    model('claude-sonnet-4-5', 200_000, 64_000, [3, 0.3, 15], { aliases: ['claude-sonnet-4.5'] }),
    model('claude-opus-4-5', 200_000, 64_000, [5, 0.5, 25], { aliases: ['claude-opus-4.5'] }),
    model('claude-sonnet-4-6', 1_000_000, 64_000, [3, 0.3, 15], { aliases: ['claude-sonnet-4.6'] }),
    model('claude-opus-4-6', 1_000_000, 128_000, [5, 0.5, 25], { aliases: ['claude-opus-4.6'] }),
  ]),
  ...of(DEEPSEEK, [
    model('deepseek-chat', 128_000, 8_192, [0.28, 0.028, 0.42]),
    model('deepseek-reasoner', 128_000, 64_000, [0.28, 0.028, 0.42]),
  ]),
  ...of(ALIBABA, [
    model('qwen-max', 32_768, 8_192, [1.6, 0.32, 6.4], { coversSnapshots: false }),
    model('qwen-plus', 1_000_000, 32_768, [0.4, 0.08, 1.2], {
      aliases: ['qwen-plus-latest'],
      coversSnapshots: false,
    }),
    model('qwen-turbo', 131_072, 8_192, [0.05, 0.01, 0.2], { coversSnapshots: false }),
    model('qwen-flash', 1_000_000, 32_768, [0.05, 0.01, 0.4]),
    model('qwen3-max', 262_144, 65_536, [1.2, 0.24, 6]),
    model('qwen3-coder-plus', 1_000_000, 65_536, [1, 0.2, 5]),
    model('qwen3-coder-flash', 1_000_000, 65_536, [0.3, 0.06, 1.5]),
    model('qwen3-235b-a22b', 131_072, 16_384, null),
    model('qwen3-32b', 131_072, 16_384, null),
  ]),
  ...of(MOONSHOT, [
    model('kimi-k2-0905-preview', 262_144, null, [0.6, 0.15, 2.5], { aliases: ['kimi-k2-0905'] }),
    model('kimi-k2-turbo-preview', 262_144, null, null),
    model('kimi-k2-thinking', 262_144, null, [0.6, 0.15, 2.5]),
    model('kimi-k2.5', 262_144, null, [0.6, 0.1, 3]),
  ]),
  ...of(ZHIPU, [
    model('glm-4.5', 131_072, 98_304, [0.6, 0.11, 2.2]),
    model('glm-4.5-air', 131_072, 98_304, [0.2, 0.03, 1.1]),
    model('glm-4.6', 204_800, 131_072, [0.6, 0.11, 2.2]),
    model('glm-4.7', 204_800, 131_072, [0.6, 0.11, 2.2]),
  ]),
  ...of(GOOGLE, [
    model('gemini-2.0-flash', 1_048_576, 8_192, [0.1, 0.025, 0.4], { aliases: ['gemini-2.0-flash-001'] }),
    model('gemini-2.5-flash-lite', 1_048_576, 65_536, [0.1, 0.01, 0.4]),
    model('gemini-2.5-flash', 1_048_576, 65_536, [0.3, 0.03, 2.5]),
    model('gemini-2.5-pro', 1_048_576, 65_536, [1.25, 0.125, 10]),
  ]),
  ...of(MISTRAL, [
    model('mistral-large-2512', 262_144, null, [0.5, null, 1.5]),
    model('mistral-medium-2508', 262_144, null, [0.4, null, 2]),
    model('mistral-small-2506', 128_000, null, [0.1, null, 0.3]),
  ]),
  // Open weights: whoever serves them sets the price.
  ...of(META, [
    model('llama-3.1-8b-instruct', 128_000, null, null),
    model('llama-3.1-70b-instruct', 128_000, null, null),
    model('llama-3.3-70b-instruct', 128_000, null, null),
  ]),
  ...of(XAI, [
    model('grok-3', 131_072, null, [3, 0.75, 15]),
    model('grok-3-mini', 131_072, null, [0.3, 0.075, 0.5]),
    model('grok-4', 256_000, null, [3, 0.75, 15], { aliases: ['grok-4-0709'] }),
    model('grok-4-fast', 2_000_000, null, [0.2, 0.05, 0.5]),
    model('grok-code-fast-1', 256_000, null, [0.2, 0.02, 1.5]),
  ]),
  ...of(MINIMAX, [model('minimax-m2.5', 204_800, 131_072, [0.3, 0.03, 1.2])]),
];
