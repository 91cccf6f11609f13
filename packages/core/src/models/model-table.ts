/** What is known of a model by its name: window, output limit, prices, tokenizer (recovery.md, Providers). */

/** Whose vocabulary counts its tokens; a counter is shipped for `o200k`, the rest is estimated. */
export const TOKENIZER_FAMILIES = [
  'o200k',
  'claude',
  'deepseek',
  'gemini',
  'glm',
  'grok',
  'kimi',
  'llama',
  'minimax',
  'mistral',
  'qwen',
] as const;
export type TokenizerFamily = (typeof TOKENIZER_FAMILIES)[number];

/** US dollars for a million tokens; of a price that rises with the size of the request, the lowest step. */
export type ModelPrices = {
  readonly input: number;
  /** Null: no discount is known, and a cached token is charged as any other. */
  readonly cachedInput: number | null;
  readonly output: number;
};

/** Null where nobody has looked it up: nothing here is guessed. */
export type ModelInfo = {
  /** Request and answer together; where the input has a limit of its own, that limit. */
  readonly windowTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly pricesPerMillion: ModelPrices | null;
  readonly tokenizer: TokenizerFamily | null;
  /** The vendor's public page, or `config.json` for what was set by hand. */
  readonly source: string;
  /** ISO date on which the figures held; null for what was set by hand. */
  readonly asOf: string | null;
};

export type KnownModel = ModelInfo & {
  /** In small letters, as the vendor calls it. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** False: its dated snapshots are models with figures of their own. */
  readonly coversSnapshots: boolean;
};

export type ModelTable = readonly KnownModel[];

/** Of a model that nobody knows. */
export const DEFAULT_WINDOW_TOKENS = 128_000;

/** Kept free for the answer: so many tokens, or this share of a small window. */
const OUTPUT_RESERVE_TOKENS = 8_000;
const OUTPUT_RESERVE_SHARE = 0.25;

/** The largest request, tokens: what the window leaves beside room for the answer. */
export function largestRequest(windowTokens: number): number {
  return windowTokens - Math.min(OUTPUT_RESERVE_TOKENS, Math.floor(windowTokens * OUTPUT_RESERVE_SHARE));
}

/** `gpt-4o-2024-08-06`, `claude-sonnet-4-5-20250929`, `claude-sonnet-4-5@20250929`, `claude-3-5-haiku-latest`. */
const SNAPSHOT = /^(?:[-@]\d{4}-\d{2}-\d{2}|[-@]\d{8}|-latest)$/;
/** What routers put behind a name; another tag (`qwen3:8b`) is a part of it. */
const ROUTE = /:(?:free|nitro|floor|online|exacto|beta|thinking)$/;

/**
 * The entry for a name as people and routers write it: as it stands, without a router's prefix (`openai/…`) and suffix
 * (`:free`), then as a dated snapshot of a known one. The longest name wins. Null: not known; a sibling never stands in.
 */
export function findModel(table: ModelTable, name: string): KnownModel | null {
  const whole = name.trim().toLowerCase();
  const routed = whole.replace(ROUTE, '');
  const bare = routed.slice(routed.lastIndexOf('/') + 1);
  return (
    exactly(table, whole) ?? exactly(table, routed) ?? snapshotOf(table, routed) ?? snapshotOf(table, bare)
  );
}

function exactly(table: ModelTable, name: string): KnownModel | null {
  return table.find((model) => model.name === name || model.aliases.includes(name)) ?? null;
}

function snapshotOf(table: ModelTable, name: string): KnownModel | null {
  const exact = exactly(table, name);
  if (exact !== null) return exact;
  let found: KnownModel | null = null;
  let length = 0;
  for (const model of table) {
    if (!model.coversSnapshots) continue;
    for (const known of [model.name, ...model.aliases]) {
      if (known.length <= length || !name.startsWith(known) || !SNAPSHOT.test(name.slice(known.length)))
        continue;
      found = model;
      length = known.length;
    }
  }
  return found;
}
