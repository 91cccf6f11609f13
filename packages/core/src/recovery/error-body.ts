/** What an error body says, however it is wrapped (reliability.md 4.2, rule 2): the innermost message, codes and numbers. */

export type ErrorBody = {
  /** The innermost message; null: there is none. */
  readonly message: string | null;
  /** Codes, types, reasons and quota ids met on the way, innermost first, lower case. */
  readonly codes: readonly string[];
  /** An HTTP status that the body itself names. */
  readonly status: number | null;
  /** Numbers that stand in fields of their own, by name. */
  readonly numbers: ReadonlyMap<string, number>;
  /** A delay in a field of its own (`retryDelay: "34s"`), ms. */
  readonly retryDelayMs: number | null;
  /** A page of HTML stands where an answer should. */
  readonly isPage: boolean;
};

type Fields = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 5;
const MAX_BODY_CHARS = 65_536;
/** Where the next layer may be, innermost first. */
const INNER_FIELDS = ['error', 'detail', 'message', 'msg'] as const;
const CODE_FIELDS = ['code', 'type', 'reason', 'status'] as const;

/** `body`: the text of an answer, or a value out of a stream. Any value is taken; nothing is thrown. */
export function readErrorBody(body: unknown): ErrorBody {
  const codes: string[] = [];
  const numbers = new Map<string, number>();
  let status: number | null = null;
  let message: string | null = null;
  let retryDelayMs: number | null = null;
  let isPage = false;
  let layer: unknown = typeof body === 'string' ? body.slice(0, MAX_BODY_CHARS) : body;

  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (typeof layer === 'string') {
      const text = layer.trim();
      isPage ||= /^<(?:!doctype|html)/i.test(text);
      const value = jsonWithin(text);
      if (value === undefined) {
        if (text !== '' && !text.startsWith('<')) message = text;
        break;
      }
      layer = value;
    }
    const fields = asFields(layer) ?? asFields(Array.isArray(layer) ? layer[0] : null);
    if (fields === null) break;
    for (const name of CODE_FIELDS) {
      const code = fields[name];
      if (typeof code === 'string' && code !== '') codes.unshift(code.toLowerCase());
    }
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'number') numbers.set(name, value);
    status = statusIn(fields.code) ?? statusIn(fields.status) ?? status;
    const details = readDetails(fields.details);
    codes.unshift(...details.codes);
    retryDelayMs = details.retryDelayMs ?? retryDelayMs;
    message = typeof fields.message === 'string' && fields.message !== '' ? fields.message : message;
    const inner = innerOf(fields);
    if (inner === null) break;
    layer = inner;
  }
  return { message, codes, status, numbers, retryDelayMs, isPage };
}

/** The value of a JSON text; of JSON behind `data:` or behind a few words of a proxy, too. */
function jsonWithin(text: string): unknown {
  const start = /^(?:data:\s*|[\w .-]{0,40}:\s*)?(?=[{[])/.exec(text);
  if (start === null) return undefined;
  const json = text.slice(start[0].length);
  try {
    return JSON.parse(json);
  } catch {
    // Cut short: the message may still be whole.
    const message = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(json)?.[1];
    if (message === undefined) return undefined;
    try {
      return { message: JSON.parse(message) as unknown };
    } catch {
      return undefined;
    }
  }
}

/** Google's: reasons, quota ids, and how long to wait. */
function readDetails(details: unknown): {
  readonly codes: readonly string[];
  readonly retryDelayMs: number | null;
} {
  const codes: string[] = [];
  let retryDelayMs: number | null = null;
  for (const detail of Array.isArray(details) ? (details as readonly unknown[]) : []) {
    const fields = asFields(detail);
    if (fields === null) continue;
    if (typeof fields.reason === 'string') codes.push(fields.reason.toLowerCase());
    for (const violation of Array.isArray(fields.violations)
      ? (fields.violations as readonly unknown[])
      : []) {
      const quotaId = asFields(violation)?.quotaId;
      if (typeof quotaId === 'string') codes.push(`quota:${quotaId.toLowerCase()}`);
    }
    const limit = asFields(fields.metadata)?.quota_limit_value;
    if (limit === '0' || limit === 0) codes.push('quota_limit_zero');
    const seconds =
      typeof fields.retryDelay === 'string' ? /^([\d.]+)s$/.exec(fields.retryDelay)?.[1] : undefined;
    if (seconds !== undefined) retryDelayMs = Math.round(Number(seconds) * 1_000);
  }
  return { codes, retryDelayMs };
}

function innerOf(fields: Fields): unknown {
  // A router keeps the words of the provider behind it here.
  const raw = asFields(fields.metadata)?.raw;
  if (typeof raw === 'string' || asFields(raw) !== null) return raw;
  for (const name of INNER_FIELDS) {
    const value = fields[name];
    if ((typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null))
      return value;
  }
  return null;
}

function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function statusIn(value: unknown): number | null {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : null;
}
