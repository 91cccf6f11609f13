/** What refusals mean, by family of provider, and what only looks like one. Bodies in our own words after real ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyError } from './classify-error.ts';
import { actionFor } from './error-action.ts';
import { ERROR_KINDS } from './error-kind.ts';

const classified = (status: number | null, body: unknown, headers: Record<string, string> = {}) =>
  classifyError({ status, headers: new Map(Object.entries(headers)), body }, 0);
const openai = (message: string, fields: object = {}) => ({
  error: { message, type: 'invalid_request_error', code: null, ...fields },
});

describe('kinds', () => {
  it.each([
    [
      'the code, before status and words',
      429,
      openai('slow down', { code: 'insufficient_quota' }),
      'quota_exhausted',
    ],
    [
      'an overflow in words',
      400,
      openai("This model's maximum context length is 9000 tokens. However, you requested 9100 tokens."),
      'context_too_long',
    ],
    [
      'an overflow that a limiter tells',
      429,
      openai('Request too large for m on tokens per min (TPM): Limit 30000, Requested 30601.'),
      'context_too_long',
    ],
    [
      'a rate that names the same numbers, some of it used',
      429,
      openai('Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 1601.'),
      'rate_limited',
    ],
    [
      'an output limit',
      400,
      openai('max_tokens is too large: 20480. This model supports at most 16384 completion tokens.'),
      'output_limit',
    ],
    [
      'a parameter that is not known',
      400,
      openai("Unsupported parameter: 'max_tokens' is not supported with this model."),
      'bad_request',
    ],
    [
      'input and output together',
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000',
        },
      },
      'context_too_long',
    ],
    [
      'a call without its result',
      400,
      openai('messages.5: `tool_use` ids were found without `tool_result` blocks immediately after: x'),
      'tool_pairing',
    ],
    [
      'a balance, in Chinese',
      429,
      { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } },
      'quota_exhausted',
    ],
    [
      'a busy model, in Chinese',
      429,
      { error: { code: '1305', message: '该模型当前访问量过大，请您稍后再试' } },
      'overloaded',
    ],
    [
      'an overloaded engine behind a rate limit',
      429,
      { error: { type: 'rate_limit_error', message: 'The engine is currently overloaded' } },
      'overloaded',
    ],
    ['a filter', 400, { detail: 'Content Exists Risk' }, 'content_filter'],
    [
      'a quota of the day',
      429,
      {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          message: 'm',
          details: [{ violations: [{ quotaId: 'RequestsPerDay' }] }],
        },
      },
      'quota_exhausted',
    ],
    [
      'a quota of the minute',
      429,
      {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          message: 'm',
          details: [{ violations: [{ quotaId: 'RequestsPerMinute' }] }],
        },
      },
      'rate_limited',
    ],
    [
      'JSON within JSON',
      400,
      JSON.stringify({
        error: { code: 400, message: JSON.stringify(openai('prompt is too long: 9 tokens > 8 maximum')) },
      }),
      'context_too_long',
    ],
    ['a page of a gateway', 504, '<html><h1>504 Gateway Time-out</h1></html>', 'timeout'],
    ['a page of a hotel', 200, '<!doctype html><p>Sign in</p>', 'network'],
    [
      'a stream that ends with the window',
      200,
      '{"type":"message","stop_reason":"model_context_window_exceeded"}',
      'context_too_long',
    ],
    [
      'a local model, by text',
      null,
      "This model's maximum context length is 4097 tokens, however you requested 4116 tokens.",
      'context_too_long',
    ],
    ['our own timeout', null, 'AbortError: The operation was aborted due to timeout', 'timeout'],
    ['a cancel', null, 'AbortError: This operation was aborted', 'cancelled'],
  ])('of %s', (_, status, body, kind) => {
    expect(classified(status, body).kind).toBe(kind);
  });

  it.each([
    [
      'digits of an id',
      500,
      {
        type: 'error',
        error: { type: 'api_error', message: 'Internal server error' },
        request_id: 'req_429_413_529',
      },
      'server_error',
    ],
    [
      'a name of a model',
      404,
      openai('The model `my-529-model` does not exist', { code: 'model_not_found' }),
      'model_not_found',
    ],
    [
      'words of the user that are quoted',
      400,
      openai("Invalid value: 'Please explain what HTTP 429 Too Many Requests means'."),
      'bad_request',
    ],
    [
      'a tool called timeout',
      400,
      openai("Invalid schema for function 'get_timeout': 'timeout' is not valid"),
      'bad_request',
    ],
    [
      'what a tool printed',
      null,
      'curl: (28) Operation timed out after 30001 milliseconds',
      'not_a_provider_error',
    ],
    [
      'what a model wrote',
      null,
      'The service was overloaded (529); the context length was 128k.',
      'not_a_provider_error',
    ],
    ['what a person asked', null, 'why is my prompt is too long error back?', 'not_a_provider_error'],
  ])('are not read from %s', (_, status, body, kind) => {
    expect(classified(status, body).kind).toBe(kind);
  });

  it('are always of the list, whatever came', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 100, max: 599 })),
        fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 6 })),
        (status, body) => {
          const { kind } = classified(status, body);
          expect([...ERROR_KINDS, 'cancelled', 'not_a_provider_error']).toContain(kind);
        },
      ),
    );
  });

  it('come from a body without bottom, and from one that was cut', () => {
    const endless: Record<string, unknown> = {};
    endless.error = endless;
    expect(classified(500, endless).kind).toBe('server_error');
    expect(
      classified(400, '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum","type":"inv').kind,
    ).toBe('context_too_long');
  });
});

describe('numbers', () => {
  it.each([
    [
      "This model's maximum context length is 131,072 tokens. However, you requested about 141607 tokens",
      { windowTokens: 131_072, requestedTokens: 141_607 },
    ],
    [
      'prompt is too long: 208310 tokens > 200000 maximum',
      { windowTokens: 200_000, requestedTokens: 208_310 },
    ],
    ['Range of max_tokens should be [1, 8192]', { outputLimitTokens: 8_192 }],
    [
      'max_tokens: 10000 > 4096, which is the maximum allowed number of output tokens for m',
      { outputLimitTokens: 4_096 },
    ],
  ])('of %s', (message, numbers) => {
    expect(classified(400, openai(message))).toMatchObject(numbers);
  });

  it('in fields of their own come first', () => {
    const error = {
      code: 400,
      message: 'too large',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 13_392,
      n_ctx: 8_192,
    };
    expect(classified(400, { error })).toMatchObject({ windowTokens: 8_192, requestedTokens: 13_392 });
  });

  it.each([
    ['try again in 6ms.', 6],
    ['Please try again in 3.89s.', 3_890],
    ['please try again after 1 seconds', 1_000],
    ['Please retry after 86400 seconds.', 86_400_000],
    ['Your quota will reset after 19h14m47s.', 69_287_000],
    ['Try again in 1m30s', 90_000],
    ['nothing of the kind', undefined],
  ])('of a delay: %s', (message, delay) => {
    expect(classified(429, openai(message)).retryAfterMs).toBe(delay);
  });

  it('of a delay in a header win over those in a text', () => {
    expect(classified(429, openai('try again in 3.89s'), { 'retry-after': '7' }).retryAfterMs).toBe(7_000);
  });
});

describe('actions', () => {
  it('never wait on what waiting cannot heal, and never for longer than one may', () => {
    for (const kind of [
      'auth',
      'quota_exhausted',
      'model_not_found',
      'bad_request',
      'context_too_long',
      'content_filter',
    ] as const)
      expect(actionFor(kind, null, 120_000)).not.toBe('wait');
    expect(actionFor('rate_limited', 7_000, 120_000)).toBe('wait');
    expect(actionFor('rate_limited', 130_000, 120_000)).toBe('surface');
  });
});
