/** What an HTTP answer, an error out of a stream, or a broken transport means: a first, small table (reliability.md 4). */
import type { ErrorKind, ModelFailure } from '@astroresearch/core';
import { readErrorBody } from './error-body.ts';
import { asArray, asRecord, asText } from './json-fields.ts';
import { retryAfterMs } from './retry-after.ts';

/** Codes and types that mean one thing wherever they stand; they are asked before the status. */
const KIND_BY_CODE: ReadonlyMap<string, ErrorKind> = new Map([
  ['insufficient_quota', 'quota_exhausted'],
  ['context_length_exceeded', 'context_too_long'],
  ['exceed_context_size_error', 'context_too_long'],
  ['request_too_large', 'payload_too_large'],
  ['rate_limit_exceeded', 'rate_limited'],
  ['rate_limit_error', 'rate_limited'],
  ['overloaded_error', 'overloaded'],
  ['content_filter', 'content_filter'],
  ['invalid_api_key', 'auth'],
  ['authentication_error', 'auth'],
  ['permission_error', 'auth'],
  ['model_not_found', 'model_not_found'],
]);

const KIND_BY_STATUS: ReadonlyMap<number, ErrorKind> = new Map([
  [401, 'auth'],
  [402, 'quota_exhausted'],
  [403, 'auth'],
  [404, 'model_not_found'],
  [408, 'timeout'],
  [413, 'payload_too_large'],
  [429, 'rate_limited'],
  [503, 'overloaded'],
  [504, 'timeout'],
  [522, 'timeout'],
  [524, 'timeout'],
  [529, 'overloaded'],
]);

/** Transport codes that say "too slow"; every other one says "not reached". */
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Asked last: says whose fault it was, and no more. */
const CLIENT_FAULT = 'invalid_request_error';
const MAX_MESSAGE_CHARS = 2000;
/** A shorter secret would blot out ordinary words. */
const MIN_SECRET_CHARS = 4;

/** Removes each secret from `text` and cuts it to what a reader can use. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= MIN_SECRET_CHARS) clean = clean.split(secret).join('[secret removed]');
  }
  return clean.slice(0, MAX_MESSAGE_CHARS).toWellFormed();
}

/** An answer with an error status. `body`: its text, or as much of it as came. */
export function failureOfAnswer(
  answer: { readonly status: number; readonly headers: Headers; readonly body: string },
  context: { readonly nowMs: number; readonly secrets: readonly string[] },
): ModelFailure {
  const { message, codes } = readErrorBody(answer.body);
  const delayMs = retryAfterMs(answer.headers, context.nowMs);
  return {
    kind: kindOfCodes(codes) ?? kindOfStatus(answer.status),
    message: redact(message ?? withoutWords(answer.status, answer.body), context.secrets),
    status: answer.status,
    ...(delayMs === null ? {} : { retryAfterMs: delayMs }),
  };
}

/** An error that came inside of an answer with status 200: a stream's error event, or a body that holds one. */
export function failureInStream(body: unknown, secrets: readonly string[]): ModelFailure {
  const { message, codes, status } = readErrorBody(body);
  const byStatus = status === null ? undefined : kindOfStatus(status);
  const byFault = codes.includes(CLIENT_FAULT) ? 'bad_request' : 'server_error';
  return {
    kind: kindOfCodes(codes) ?? byStatus ?? byFault,
    message: redact(message ?? 'The provider reported an error in its stream, without words.', secrets),
    ...(status === null ? {} : { status }),
  };
}

/** What `fetch` or a body threw. `phase`: whether the answer had begun. `endpoint`: where we called, for the reader. */
export function failureOfTransport(
  error: unknown,
  phase: 'connect' | 'answer',
  endpoint: string,
  secrets: readonly string[],
): ModelFailure {
  const code = transportCode(error);
  const reason = code ?? (error instanceof Error ? error.message : String(error));
  const message =
    phase === 'connect'
      ? `No answer from ${endpoint} (${reason}). Check the address, the network and that the server runs.`
      : `The answer from ${endpoint} broke off (${reason}).`;
  return { kind: TIMEOUT_CODES.has(reason) ? 'timeout' : 'network', message: redact(message, secrets) };
}

/** `fetch` hides the system's code one or two causes deep; a name with two addresses hides it in a list. */
function transportCode(error: unknown): string | null {
  let layer: unknown = error;
  for (let depth = 0; depth < 4 && layer !== null && layer !== undefined; depth++) {
    const record = asRecord(layer);
    const code = asText(record?.code) ?? asText(asRecord(asArray(record?.errors)[0])?.code);
    if (code !== null) return code;
    layer = record?.cause;
  }
  return null;
}

function kindOfCodes(codes: readonly string[]): ErrorKind | undefined {
  for (const code of codes) {
    const kind = KIND_BY_CODE.get(code);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

function kindOfStatus(status: number): ErrorKind {
  return KIND_BY_STATUS.get(status) ?? (status >= 500 ? 'server_error' : 'bad_request');
}

function withoutWords(status: number, body: string): string {
  const what = body.trim() === '' ? 'without a body' : 'with a page instead of an API answer';
  return `The provider answered HTTP ${status} ${what}.`;
}
