/** The small table of failures: kind, words, time to wait; and no secrets. */
import { readErrorBody } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { failureInStream, failureOfAnswer, failureOfTransport, redact } from './failure.ts';

const CONTEXT = { nowMs: Date.UTC(2026, 0, 1), secrets: ['sk-secret-1'] };
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  failureOfAnswer(
    { status, headers: new Headers(headers), body: typeof body === 'string' ? body : JSON.stringify(body) },
    CONTEXT,
  );

describe('kinds', () => {
  it.each([
    [400, 'bad_request'],
    [401, 'auth'],
    [402, 'quota_exhausted'],
    [403, 'auth'],
    [404, 'model_not_found'],
    [408, 'timeout'],
    [413, 'payload_too_large'],
    [422, 'bad_request'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [502, 'overloaded'],
    [503, 'overloaded'],
    [504, 'timeout'],
    [529, 'overloaded'],
  ])('status %i alone is %s', (status, kind) => {
    expect(answer(status, 'Words.')).toEqual({ kind, message: 'Words.', status });
  });

  it.each([
    [
      'quota behind 429',
      429,
      { error: { message: 'm', type: 'insufficient_quota', code: null } },
      'quota_exhausted',
    ],
    [
      'overflow behind 400',
      400,
      { error: { message: 'm', type: 'invalid_request_error', code: 'context_length_exceeded' } },
      'context_too_long',
    ],
    [
      'overload behind 500',
      500,
      { type: 'error', error: { type: 'overloaded_error', message: 'm' } },
      'overloaded',
    ],
    [
      'a code that is a word of JavaScript',
      400,
      { error: { message: 'm', code: 'constructor' } },
      'bad_request',
    ],
  ])('a code weighs more than the status: %s', (_what, status, body, kind) => {
    expect(answer(status, body).kind).toBe(kind);
  });

  it('an error in a stream has the status that it names', () => {
    expect(failureInStream({ error: { message: 'm', code: 429 } }, [])).toEqual({
      kind: 'rate_limited',
      message: 'm',
      status: 429,
    });
  });

  it.each([
    ['a refused connection', { cause: { code: 'ECONNREFUSED' } }, 'network', 'ECONNREFUSED'],
    ['a name that nobody knows', { cause: { code: 'ENOTFOUND' } }, 'network', 'ENOTFOUND'],
    [
      'two addresses that refuse',
      { cause: { errors: [{ code: 'ECONNREFUSED' }] } },
      'network',
      'ECONNREFUSED',
    ],
    [
      'headers that do not come',
      { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } },
      'timeout',
      'UND_ERR_HEADERS',
    ],
    ['a socket that closes', { cause: { cause: { code: 'UND_ERR_SOCKET' } } }, 'network', 'UND_ERR_SOCKET'],
    ['an error of another kind', { message: 'terminated' }, 'network', '(terminated)'],
  ])('of a broken transport: %s', (_what, fields, kind, words) => {
    const failure = failureOfTransport(
      Object.assign(new TypeError('fetch failed'), fields),
      'connect',
      'http://host/v1',
      [],
    );
    expect(failure).toEqual({ kind, message: expect.stringContaining(words) });
    expect(failure.message).toContain('http://host/v1');
  });

  it('of a transport that breaks behind the beginning of the answer', () => {
    const error = Object.assign(new TypeError('terminated'), { cause: { code: 'UND_ERR_SOCKET' } });
    expect(failureOfTransport(error, 'answer', 'http://host/v1', [])).toEqual({
      kind: 'network',
      message: 'The answer from http://host/v1 broke off (UND_ERR_SOCKET).',
    });
  });

  it('of what was thrown and is no error', () => {
    expect(failureOfTransport('gone', 'answer', 'http://host/v1', [])).toMatchObject({ kind: 'network' });
    expect(failureOfTransport(undefined, 'connect', 'http://host/v1', [])).toMatchObject({ kind: 'network' });
  });
});

describe('words', () => {
  it.each([
    ['an error object', '{"error":{"message":"Inner."}}', 'Inner.'],
    ['an error text', '{"error":"Inner."}', 'Inner.'],
    ['detail', '{"detail":"Inner."}', 'Inner.'],
    ['a list of details', '{"detail":[{"loc":["body"],"msg":"Inner."}]}', 'Inner.'],
    ['a flag and a message', '{"error":true,"message":"Inner."}', 'Inner.'],
    ['a list around it', '[{"error":{"message":"Inner."}}]', 'Inner.'],
    ['JSON in a string', JSON.stringify({ error: { message: '{"error":{"message":"Inner."}}' } }), 'Inner.'],
    [
      'the words of the provider behind a gateway',
      JSON.stringify({
        error: { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"Inner."}}' } },
      }),
      'Inner.',
    ],
    ['plain text', 'Inner.', 'Inner.'],
    ['truncated JSON', '{"error":{"mess', '{"error":{"mess'],
    ['HTML', '<html>502</html>', null],
    ['nothing', '', null],
    ['null', 'null', 'null'],
    ['no words', '{"error":{}}', null],
  ])('come out of %s', (_what, body, expected) => {
    expect(readErrorBody(body).message).toBe(expected);
  });

  it('end the search in a body without bottom', () => {
    let body: unknown = 'Inner.';
    for (let depth = 0; depth < 50; depth++) body = { error: body };
    expect(readErrorBody(body).message).toBeNull();
  });

  it('are made up where the provider has none', () => {
    expect(answer(502, '<html>').message).toBe(
      'The provider answered HTTP 502 with a page instead of an API answer.',
    );
    expect(answer(500, '').message).toBe('The provider answered HTTP 500 without a body.');
  });

  it('never hold a secret, however often and in whatever layer', () => {
    const text = JSON.stringify({ error: { message: 'Key sk-secret-1 is not sk-secret-1.' } });
    expect(answer(401, text).message).toBe('Key [secret removed] is not [secret removed].');
    expect(answer(401, { error: text }).message).not.toContain('sk-secret-1');
  });

  it('are cut to what can be read, between characters', () => {
    expect(redact(`${'a'.repeat(1999)}🔭`, [])).toBe(`${'a'.repeat(1999)}\ufffd`);
  });
});

describe('time to wait', () => {
  it.each([
    ['seconds', { 'retry-after': '30' }, 30_000],
    ['parts of a second', { 'retry-after': '0.25' }, 250],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:01:30 GMT' }, 90_000],
    ['a date that has passed', { 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    ['milliseconds before seconds', { 'retry-after-ms': '644', 'retry-after': '1' }, 644],
    ['nonsense', { 'retry-after': 'soon' }, null],
    ['a negative number', { 'retry-after': '-5 apples' }, null],
    ['nothing', {}, null],
  ])('is read from %s', (_what, headers, expected) => {
    const failure = answer(429, 'Slow down.', headers as Record<string, string>);
    expect(failure.retryAfterMs ?? null).toBe(expected);
  });
});
