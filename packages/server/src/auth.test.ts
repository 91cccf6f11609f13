import { describe, expect, it } from 'vitest';
import { createAuth, sameSecret } from './auth.ts';

const token = 'the-token-of-this-test';
const auth = createAuth(token, 8787);
const cookiePair = auth.setCookie.split(';')[0] ?? '';

describe('auth', () => {
  it.each([
    ['the bearer token', { authorization: `Bearer ${token}`, cookie: null }, 'bearer'],
    ['the scheme in any case', { authorization: `bearer ${token}`, cookie: null }, 'bearer'],
    ['the cookie of a login', { authorization: null, cookie: cookiePair }, 'cookie'],
    ['the cookie among others', { authorization: null, cookie: `a=1; ${cookiePair}; b=2` }, 'cookie'],
    ['nothing', { authorization: null, cookie: null }, null],
    ['a wrong token', { authorization: 'Bearer wrong', cookie: null }, null],
    ['the token with a tail', { authorization: `Bearer ${token}x`, cookie: null }, null],
    ['half of the token', { authorization: `Bearer ${token.slice(0, 8)}`, cookie: null }, null],
    ['the token without its scheme', { authorization: token, cookie: null }, null],
    ['another scheme', { authorization: `Basic ${token}`, cookie: null }, null],
    ['an empty token', { authorization: 'Bearer ', cookie: null }, null],
    ['two tokens joined', { authorization: `Bearer ${token}, Bearer ${token}`, cookie: null }, null],
    ['a wrong token beside a right cookie', { authorization: 'Bearer wrong', cookie: cookiePair }, null],
    ['the token itself as the cookie', { authorization: null, cookie: `astroresearch-8787=${token}` }, null],
    ['the cookie of another port', { authorization: null, cookie: cookiePair.replace('8787', '9000') }, null],
  ])('takes or refuses %s', (_what, headers, expected) => {
    expect(auth.check(headers)).toBe(expected);
  });

  it('gives a cookie that scripts and other sites cannot use, and that does not hold the token', () => {
    expect(auth.setCookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(auth.setCookie).toContain('; Path=/;');
    expect(auth.setCookie).not.toContain(token);
  });

  it('gives the same cookie after a restart and another one for another token', () => {
    expect(createAuth(token, 8787).setCookie).toBe(auth.setCookie);
    expect(createAuth(`${token}2`, 8787).setCookie).not.toBe(auth.setCookie);
  });

  it('compares secrets of different lengths without throwing', () => {
    expect(sameSecret('', 'secret')).toBe(false);
    expect(sameSecret('secret', 'secret')).toBe(true);
  });
});
