import { StoreError } from '@astroresearch/runtime';
import { HTTPException } from 'hono/http-exception';
import { describe, expect, it } from 'vitest';
import { errorResponse, HttpError, toHttpError } from './http-error.ts';

describe('toHttpError', () => {
  it.each([
    ['busy', 503, 'store_busy'],
    ['full', 507, 'store_full'],
    ['read_only', 503, 'store_read_only'],
    ['corrupt', 503, 'store_corrupt'],
    ['newer_version', 503, 'store_newer_version'],
    ['fenced', 409, 'session_taken_over'],
    ['failed', 503, 'store_failed'],
  ] as const)('answers a store that is %s with %i', (kind, status, code) => {
    expect(toHttpError(new StoreError(kind, 'SQLITE_X: /secret/path'))).toMatchObject({ status, code });
  });

  it('asks to come back where the store was only busy', () => {
    expect(toHttpError(new StoreError('busy', 'locked')).headers).toEqual({ 'retry-after': '2' });
    expect(toHttpError(new StoreError('full', 'full')).headers).toEqual({});
  });

  it('tells nothing of what it did not expect', async () => {
    const response = errorResponse(toHttpError(new Error('sk-secret in /home/me')));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/sk-secret|home/);
  });

  it('knows what the validators throw', () => {
    expect(toHttpError(new HTTPException(400)).code).toBe('broken_json');
    expect(toHttpError(new HTTPException(415)).code).toBe('unsupported_media_type');
  });

  it('leaves our own errors alone', () => {
    const error = new HttpError('turn_running', 'Wait.', { details: { turn_id: 't1' } });
    expect(toHttpError(error)).toBe(error);
  });
});

describe('errorResponse', () => {
  it('has the shape of api.md', async () => {
    const response = errorResponse(new HttpError('turn_running', 'Wait.', { details: { turn_id: 't1' } }));
    expect(response.status).toBe(409);
    expect(await response.json()).toEqual({
      error: { code: 'turn_running', message: 'Wait.', details: { turn_id: 't1' } },
    });
  });
});
