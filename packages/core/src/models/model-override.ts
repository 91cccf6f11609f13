/** Entries of the table set by hand: each replaces single figures, or makes an entry of its own. */

import type { TokenizerFamily } from './model-table.ts';
import { findModel, type KnownModel, type ModelPrices, type ModelTable } from './model-table.ts';

/** What is left out stays as the table has it. */
export type ModelOverride = {
  readonly windowTokens?: number;
  readonly maxOutputTokens?: number;
  readonly prices?: Partial<ModelPrices>;
  readonly tokenizer?: TokenizerFamily;
};

/** Source of every entry that was touched. */
const BY_HAND = 'config.json';

/** A snapshot's own entry leaves the model that it is one of as it was. */
export function withOverrides(
  table: ModelTable,
  overrides: Readonly<Record<string, ModelOverride>>,
): ModelTable {
  let changed = table;
  for (const [name, override] of Object.entries(overrides)) {
    const entry = entryFor(table, name.trim().toLowerCase(), override);
    changed = [entry, ...changed.filter((model) => model.name !== entry.name)];
  }
  return changed;
}

function entryFor(table: ModelTable, name: string, override: ModelOverride): KnownModel {
  const known = findModel(table, name);
  const own = known !== null && known.name === name;
  return {
    name,
    aliases: own ? known.aliases : [],
    coversSnapshots: own ? known.coversSnapshots : false,
    windowTokens: override.windowTokens ?? known?.windowTokens ?? null,
    maxOutputTokens: override.maxOutputTokens ?? known?.maxOutputTokens ?? null,
    pricesPerMillion: mergedPrices(known?.pricesPerMillion ?? null, override.prices),
    tokenizer: override.tokenizer ?? known?.tokenizer ?? null,
    source: BY_HAND,
    asOf: null,
  };
}

/** Null where the price of input or output is known to neither. */
export function mergedPrices(
  known: ModelPrices | null,
  given: Partial<ModelPrices> = {},
): ModelPrices | null {
  const input = given.input ?? known?.input;
  const output = given.output ?? known?.output;
  if (input === undefined || output === undefined) return null;
  return { input, cachedInput: given.cachedInput ?? known?.cachedInput ?? null, output };
}
