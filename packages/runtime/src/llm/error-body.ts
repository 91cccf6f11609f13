/** Finds the provider's own words and codes in an error body, however it is wrapped (reliability.md 4.2, rule 2). */
import { asArray, asCount, asRecord, asText, parseJson } from './json-fields.ts';

export type ErrorBody = {
  /** The innermost message; null: there is none. */
  readonly message: string | null;
  /** Codes, types and reasons met on the way, innermost first, lower case. */
  readonly codes: readonly string[];
  /** An HTTP status that the body itself names. */
  readonly status: number | null;
};

const MAX_DEPTH = 5;
/** Where the next layer may be, innermost first. */
const INNER_FIELDS = ['error', 'detail', 'message', 'msg'] as const;

/** `body`: the text of an answer, or a value out of a stream. An HTML page has no message. */
export function readErrorBody(body: unknown): ErrorBody {
  const codes: string[] = [];
  let status: number | null = null;
  let message: string | null = null;
  let layer: unknown = body;

  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (typeof layer === 'string') {
      const text = layer.trim();
      const value = text.startsWith('{') || text.startsWith('[') ? parseJson(text) : undefined;
      if (value === undefined) {
        if (text !== '' && !text.startsWith('<')) message = text;
        break;
      }
      layer = value;
    }
    const record = asRecord(layer) ?? asRecord(asArray(layer)[0]);
    if (record === null) break;
    for (const name of ['code', 'type', 'reason'] as const) {
      const code = asText(record[name]);
      if (code !== null) codes.unshift(code.toLowerCase());
    }
    status = statusIn(record.code) ?? statusIn(record.status) ?? status;
    // OpenRouter keeps the words of the provider behind it here.
    const inner = asText(asRecord(record.metadata)?.raw) ?? innerOf(record);
    message = asText(record.message) ?? message;
    if (inner === null) break;
    layer = inner;
  }
  return { message, codes, status };
}

function innerOf(record: Readonly<Record<string, unknown>>): unknown {
  for (const name of INNER_FIELDS) {
    const value = record[name];
    if (asText(value) !== null || (typeof value === 'object' && value !== null)) return value;
  }
  return null;
}

function statusIn(value: unknown): number | null {
  const status = asCount(typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value);
  return status !== null && status >= 400 && status <= 599 ? status : null;
}
