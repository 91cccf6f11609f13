/** `config.json` of the data folder: the models set by hand (docs/models.md). Other keys are left to their own readers. */
import {
  findModel,
  type ModelOverride,
  type ModelTable,
  mergedPrices,
  TOKENIZER_FAMILIES,
} from '@astroresearch/core';

export const CONFIG_FILE = 'config.json';

/** `faults`: one line each, naming the place, its value and what is allowed. */
export type FileOutcome = {
  readonly models: Readonly<Record<string, ModelOverride>>;
  readonly faults: readonly string[];
};

const MAX_TOKENS = 100_000_000;
const MAX_PRICE = 1_000_000;
const MODEL_FIELDS = ['window_tokens', 'max_output_tokens', 'prices_per_million_usd', 'tokenizer'];
const PRICE_FIELDS = ['input', 'cached_input', 'output'];

/** `text`: of the file, null where there is none. Never throws. */
export function readConfigFile(text: string | null, table: ModelTable): FileOutcome {
  const faults: string[] = [];
  if (text === null) return { models: {}, faults };
  const root = parsed(text);
  if (!isObject(root)) return { models: {}, faults: [`${CONFIG_FILE}: must be a JSON object`] };
  if (root.models === undefined) return { models: {}, faults };
  if (!isObject(root.models)) return { models: {}, faults: [fault('models', root.models, 'an object')] };
  const models = Object.entries(root.models).map(([name, entry]): [string, ModelOverride] => [
    name,
    readModel(name, entry, table, faults),
  ]);
  return { models: Object.fromEntries(models), faults };
}

function readModel(name: string, entry: unknown, table: ModelTable, faults: string[]): ModelOverride {
  const place = `models.${name}`;
  if (!isObject(entry)) {
    faults.push(fault(place, entry, 'an object'));
    return {};
  }
  noOthers(entry, place, MODEL_FIELDS, faults);
  const tokens = (field: string, min: number) => {
    const value = entry[field];
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && isWithin(value, min, MAX_TOKENS)) return value as number;
    faults.push(fault(`${place}.${field}`, value, `a whole number from ${min} to ${MAX_TOKENS}`));
    return undefined;
  };
  const tokenizer = TOKENIZER_FAMILIES.find((family) => family === entry.tokenizer);
  if (entry.tokenizer !== undefined && tokenizer === undefined)
    faults.push(fault(`${place}.tokenizer`, entry.tokenizer, `one of ${TOKENIZER_FAMILIES.join(', ')}`));
  return given({
    windowTokens: tokens('window_tokens', 1_000),
    maxOutputTokens: tokens('max_output_tokens', 1),
    prices: readPrices(name, entry.prices_per_million_usd, table, faults),
    tokenizer,
  });
}

function readPrices(
  name: string,
  entry: unknown,
  table: ModelTable,
  faults: string[],
): ModelOverride['prices'] {
  const place = `models.${name}.prices_per_million_usd`;
  if (entry === undefined) return undefined;
  if (!isObject(entry)) {
    faults.push(fault(place, entry, 'an object'));
    return undefined;
  }
  noOthers(entry, place, PRICE_FIELDS, faults);
  const before = faults.length;
  const price = (field: string) => {
    const value = entry[field];
    if (value === undefined || isWithin(value, 0, MAX_PRICE)) return value as number | undefined;
    faults.push(fault(`${place}.${field}`, value, `a number from 0 to ${MAX_PRICE}`));
    return undefined;
  };
  const prices = given({
    input: price('input'),
    cachedInput: price('cached_input'),
    output: price('output'),
  });
  const known = findModel(table, name)?.pricesPerMillion ?? null;
  if (faults.length === before && mergedPrices(known, prices) === null)
    faults.push(fault(place, entry, 'given with input and output: the table has neither for this model'));
  return prices;
}

function noOthers(
  entry: Readonly<Record<string, unknown>>,
  place: string,
  fields: readonly string[],
  faults: string[],
): void {
  for (const field of Object.keys(entry))
    if (!fields.includes(field))
      faults.push(`${CONFIG_FILE}: ${place}.${field}: is not known; known are ${fields.join(', ')}`);
}

function fault(place: string, value: unknown, allowed: string): string {
  return `${CONFIG_FILE}: ${place}=${JSON.stringify(value)}: must be ${allowed}`;
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Given<T> = { readonly [field in keyof T]?: Exclude<T[field], undefined> };

/** Without what is undefined. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
