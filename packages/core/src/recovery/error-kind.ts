/** What can go wrong with a model call, and whether trying again can help (reliability.md 4.1). */

export const ERROR_KINDS = [
  'rate_limited',
  'overloaded',
  'quota_exhausted',
  'context_too_long',
  'payload_too_large',
  'output_limit',
  'output_truncated',
  'tool_pairing',
  'bad_request',
  'content_filter',
  'auth',
  'model_not_found',
  'timeout',
  'network',
  'server_error',
  'empty_reply',
] as const;

export type ErrorKind = (typeof ERROR_KINDS)[number];

const RETRYABLE: ReadonlySet<ErrorKind> = new Set([
  'rate_limited',
  'overloaded',
  'timeout',
  'network',
  'server_error',
]);

/** True where the same request may succeed later without anybody changing anything. */
export function isRetryable(kind: ErrorKind): boolean {
  return RETRYABLE.has(kind);
}

/** A typed failure of the model port. Only these are ever treated as provider errors. */
export type ModelFailure = {
  readonly kind: ErrorKind;
  /** The provider's own words, or the transport's; secrets removed. */
  readonly message: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** Numbers that the provider named. */
  readonly windowTokens?: number;
  readonly requestedTokens?: number;
  readonly outputLimitTokens?: number;
};
