/** An HTTP answer, an error out of a stream or a broken transport, as a typed failure; core says what it means. */
import { type ClassifiedError, classifyError, type ModelFailure, readErrorBody } from '@astroresearch/core';
import { asArray, asRecord, asText } from './json-fields.ts';

/** Transport codes that say "too slow"; every other one says "not reached". */
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

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
  const headers = new Map([...answer.headers].map(([name, value]) => [name.toLowerCase(), value]));
  const classified = classifyError({ status: answer.status, headers, body: answer.body }, context.nowMs);
  const message = classified.message ?? withoutWords(answer.status, answer.body);
  return { ...failureOf(classified, message, context.secrets), status: answer.status };
}

/** An error that came inside of an answer with status 200: a stream's error event, or a body that holds one. */
export function failureInStream(body: unknown, secrets: readonly string[]): ModelFailure {
  const classified = classifyError({ status: 200, headers: new Map(), body }, 0);
  const message = classified.message ?? 'The provider reported an error in its stream, without words.';
  const { status } = readErrorBody(body);
  return { ...failureOf(classified, message, secrets), ...(status === null ? {} : { status }) };
}

function failureOf(
  { kind, message: _, ...numbers }: ClassifiedError,
  message: string,
  secrets: readonly string[],
): ModelFailure {
  // Neither can come of an answer: they are for texts of which nobody knows where they are from.
  const known = kind === 'cancelled' || kind === 'not_a_provider_error' ? 'bad_request' : kind;
  return { ...numbers, kind: known, message: redact(message, secrets) };
}

/** A redirect, which is never followed. `url`: where we called. Of the target only the host is told: its query may hold a secret. */
export function failureOfRedirect(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  {
    url,
    display,
    secrets,
  }: { readonly url: string; readonly display: string; readonly secrets: readonly string[] },
): ModelFailure {
  const location = headers.get('location') ?? '';
  const target = location !== '' && URL.canParse(location, url) ? new URL(location, url).host : '';
  const where = target === '' ? 'somewhere else' : `to the host ${target}`;
  const message = `${display} redirects ${where} (HTTP ${status}). Redirects are not followed, because the API key would go along; set LLM_BASE_URL to the address of the API itself.`;
  return { kind: 'bad_request', message: redact(message, secrets), status };
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

function withoutWords(status: number, body: string): string {
  const what = body.trim() === '' ? 'without a body' : 'with a page instead of an API answer';
  return `The provider answered HTTP ${status} ${what}.`;
}
