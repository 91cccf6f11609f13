/** Reads single fields of a wire event. What comes over the wire is not trusted to have the right shape. */

type Fields = Readonly<Record<string, unknown>>;

/** `''` where the field is missing or no text. */
export function textField(data: Fields, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

/** 0 where the field is missing or no finite number. */
export function numberField(data: Fields, name: string): number {
  const value = data[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** The objects of a list; anything else in it is left out. */
export function recordsField(data: Fields, name: string): readonly Fields[] {
  const value = data[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function recordField(data: Fields, name: string): Fields {
  const value = data[name];
  return isRecord(value) ? value : {};
}

/** The word, where it is one of `words`; else `otherwise`. */
export function wordField<W extends string>(
  data: Fields,
  name: string,
  words: readonly W[],
  otherwise: W,
): W {
  const value = data[name];
  return words.find((word) => word === value) ?? otherwise;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
