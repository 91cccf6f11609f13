/** A text as JSON lines: each value with its number, or the first line that is none. */
import type { Unreadable } from './transfer-types.ts';

export type JsonLine = { readonly line: number; readonly value: Fields };
export type Fields = Readonly<Record<string, unknown>>;

/** Nothing that is recorded nests so deep; what does would overflow whoever walks through it. */
const MAX_DEPTH = 100;

/** Blank lines, a byte-order mark and CRLF are skipped. */
export function readJsonLines(
  text: string,
): { readonly kind: 'lines'; readonly lines: readonly JsonLine[] } | Unreadable {
  const lines: JsonLine[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (raw.trim() === '') continue;
    const line = index + 1;
    if (isTooDeep(raw)) return { kind: 'unreadable', line, reason: `nests deeper than ${MAX_DEPTH} levels` };
    let value: unknown;
    try {
      value = JSON.parse(raw);
    } catch (error) {
      return {
        kind: 'unreadable',
        line,
        reason: `no JSON: ${error instanceof Error ? error.message : error}`,
      };
    }
    if (!isObject(value)) return { kind: 'unreadable', line, reason: 'expected one JSON object a line' };
    lines.push({ line, value });
  }
  return { kind: 'lines', lines };
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts brackets outside of strings. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return false;
}
