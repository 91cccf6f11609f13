/** One environment variable: how its text becomes a value, and what is allowed (api.md, Environment). */

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly allowed: string };

export type Variable<T> = {
  readonly parse: (text: string) => Parsed<T>;
  /** Where the variable is unset or empty. */
  readonly fallback: T;
};

export function wholeNumber(fallback: number, min: number, max: number): Variable<number> {
  return { fallback, parse: (text) => parseWhole(text, min, max) };
}

/** A whole number, or null where it is unset. */
export function optionalNumber(min: number, max: number): Variable<number | null> {
  return { fallback: null, parse: (text) => parseWhole(text, min, max) };
}

export function oneOf<const T extends string>(values: readonly T[], fallback: T): Variable<T> {
  return { fallback, parse: (text) => parseOneOf(text, values) };
}

export function optionalOneOf<const T extends string>(values: readonly T[]): Variable<T | null> {
  return { fallback: null, parse: (text) => parseOneOf(text, values) };
}

export function text(fallback: string): Variable<string> {
  return { fallback, parse: (value) => ({ ok: true, value }) };
}

export function optionalText(): Variable<string | null> {
  return { fallback: null, parse: (value) => ({ ok: true, value }) };
}

export function optionalUrl(): Variable<string | null> {
  return { fallback: null, parse: parseUrl };
}

export function url(fallback: string): Variable<string> {
  return { fallback, parse: parseUrl };
}

function parseWhole(value: string, min: number, max: number): Parsed<number> {
  const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return { ok: true, value: number };
  return { ok: false, allowed: `a whole number from ${min} to ${max}` };
}

function parseOneOf<const T extends string>(value: string, values: readonly T[]): Parsed<T> {
  const found = values.find((candidate) => candidate === value);
  return found === undefined
    ? { ok: false, allowed: `one of ${values.join(', ')}` }
    : { ok: true, value: found };
}

function parseUrl(value: string): Parsed<string> {
  const isHttp = URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
  return isHttp
    ? { ok: true, value: value.replace(/\/+$/, '') }
    : { ok: false, allowed: 'an http(s) address' };
}
