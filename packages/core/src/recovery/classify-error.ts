/** What a provider's refusal means (reliability.md 4): codes first, messages second, status third. */
import { type ErrorBody, readErrorBody } from './error-body.ts';
import type { ErrorKind } from './error-kind.ts';
import { delayInHeaders, delayInText, type ErrorNumbers, readNumbers } from './error-numbers.ts';
import { KIND_BY_CODE, KIND_BY_WEAK_CODE, kindOfStatus, MESSAGE_RULES } from './error-rules.ts';

/** What came from the provider, and nothing else: a tool's output or a sentence of the model never is one. */
export type ProviderError = {
  /** Null: there was no answer, or only its text is known. 200: the error stood in a stream or in a body. */
  readonly status: number | null;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Text or value. */
  readonly body: unknown;
};

export type ClassifiedError = ErrorNumbers & {
  readonly kind: ErrorKind | 'cancelled' | 'not_a_provider_error';
  /** The innermost words; null: there are none. */
  readonly message: string | null;
};

export function classifyError(error: ProviderError, nowMs: number): ClassifiedError {
  const body = readErrorBody(error.body);
  const words = body.message ?? '';
  const kind = kindOf(error, body, wordsToJudge(words));
  const delayMs = delayInHeaders(error.headers, nowMs) ?? body.retryDelayMs ?? delayInText(words);
  return {
    kind,
    message: body.message,
    ...readNumbers(words, body.numbers),
    ...(delayMs === null ? {} : { retryAfterMs: delayMs }),
  };
}

function kindOf(error: ProviderError, body: ErrorBody, words: string): ClassifiedError['kind'] {
  const { status } = error;
  const effective = status === null || status === 200 ? body.status : status;
  const byCode = kindOfCodes(body.codes, KIND_BY_CODE) ?? kindOfQuota(body.codes);
  if (byCode !== undefined) return byCode;
  if (status === 402) return 'quota_exhausted';
  if (status === null && body.codes.length === 0) return kindOfText(words);
  for (const { kind, says, statuses, unless } of MESSAGE_RULES) {
    if (statuses !== undefined && !statuses(effective ?? 200)) continue;
    if (says.test(words) && unless?.test(words) !== true) return kind;
  }
  const byWeakCode = kindOfCodes(body.codes, KIND_BY_WEAK_CODE);
  if (byWeakCode !== undefined && (effective === null || byWeakCode === 'rate_limited')) return byWeakCode;
  if (effective !== null) return kindOfStatus(effective);
  return status === 200 ? kindOfAnswer(error.body, body) : 'bad_request';
}

function kindOfCodes(codes: readonly string[], table: ReadonlyMap<string, ErrorKind>): ErrorKind | undefined {
  for (const code of codes) {
    const kind = table.get(code);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** A quota of the day is gone for today; one of the minute comes back. */
function kindOfQuota(codes: readonly string[]): ErrorKind | undefined {
  return codes.some((code) => code.startsWith('quota:') && code.includes('perday'))
    ? 'quota_exhausted'
    : undefined;
}

/** An answer with status 200 that is none. */
function kindOfAnswer(raw: unknown, body: ErrorBody): ErrorKind {
  if (body.isPage) return 'network'; // somebody between us and the provider answers
  const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
  if (/"(?:finish_reason|stop_reason)"\s*:\s*"(?:length|max_tokens)"/.test(text)) return 'output_truncated';
  if (/"(?:finish_reason|stop_reason)"\s*:\s*"model_context_window_exceeded"/.test(text))
    return 'context_too_long';
  return 'server_error';
}

const LOCAL_ERRORS: readonly (readonly [RegExp, ClassifiedError['kind']])[] = [
  [/^(?:AbortError|TimeoutError): .*\btimeout\b/i, 'timeout'],
  [/^AbortError\b/, 'cancelled'],
  [/^(?:\w*Error): .*(?:UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)/, 'timeout'],
  [/^(?:\w*Error): .*(?:SELF_SIGNED|CERT_|certificate)/, 'bad_request'],
  [
    /^(?:\w*Error): .*(?:ENOTFOUND|ECONNREFUSED|ECONNRESET|EPIPE|EHOSTUNREACH|EAI_AGAIN|UND_ERR_SOCKET|fetch failed|other side closed|socket hang up)/,
    'network',
  ],
];

/** A text without a status: only what is unmistakable. Everything else may be anybody's words. */
function kindOfText(words: string): ClassifiedError['kind'] {
  for (const [says, kind] of LOCAL_ERRORS) if (says.test(words)) return kind;
  const rule = MESSAGE_RULES.find(
    ({ says, unless, standsAlone }) =>
      standsAlone === true && says.exec(words)?.index === 0 && unless?.test(words) !== true,
  );
  return rule?.kind ?? 'not_a_provider_error';
}

/** Addresses say nothing of the error, and long quotations are what the caller had sent. */
function wordsToJudge(message: string): string {
  return message.replace(/https?:\/\/\S+/g, '').replace(/(?<!\w)(?:'[^']{24,}'|"[^"]{24,}")(?!\w)/g, "''");
}
