import { describe, expect, it } from 'vitest';
import { allowedHosts, isLoopback, isOwnPage, isUnsafe } from './origin.ts';

describe('allowedHosts', () => {
  it('names loopback in its three forms, with the port', () => {
    expect([...allowedHosts({ host: '127.0.0.1', port: 8787 })]).toEqual([
      '127.0.0.1:8787',
      'localhost:8787',
      '[::1]:8787',
    ]);
  });

  it('adds the configured host, IPv6 in brackets', () => {
    expect(allowedHosts({ host: '192.168.1.5', port: 8787 }).has('192.168.1.5:8787')).toBe(true);
    expect(allowedHosts({ host: 'fd00::5', port: 8787 }).has('[fd00::5]:8787')).toBe(true);
  });

  it.each(['0.0.0.0', '::'])('never takes %s for a name', (host) => {
    expect(allowedHosts({ host, port: 8787 }).size).toBe(3);
  });

  it('takes a host without port only where http implies it', () => {
    expect(allowedHosts({ host: '127.0.0.1', port: 80 }).has('localhost')).toBe(true);
    expect(allowedHosts({ host: '127.0.0.1', port: 8787 }).has('localhost')).toBe(false);
  });

  it.each([
    'evil.example',
    'evil.example:8787',
    '127.0.0.1.evil.example:8787',
    'localhost.:8787',
    'localhost.evil.example:8787',
    'LOCALHOST:8787',
    'Localhost:8787',
    'localhost:8788',
    'localhost:08787',
    'localhost: 8787',
    'localhost:8787 ',
    ' localhost:8787',
    'localhost:8787:8787',
    'localhost:',
    'localhost',
    '127.0.0.1',
    '127.1:8787',
    '127.0.0.2:8787',
    '127.0.0.1.:8787',
    '2130706433:8787',
    '0x7f000001:8787',
    '0177.0.0.1:8787',
    '0:8787',
    '0.0.0.0:8787',
    '[::]:8787',
    '::1:8787',
    '[::1]',
    '[0:0:0:0:0:0:0:1]:8787',
    '[::ffff:127.0.0.1]:8787',
    '[::1%25lo]:8787',
    'user@localhost:8787',
    'localhost:8787@evil.example',
    'localhost:8787/evil',
    'localhost:8787#evil',
    'localhost:8787, evil.example',
    'localhost:8787, localhost:8787',
    'evil.example, localhost:8787',
    'localhost\t:8787',
    'ⓛocalhost:8787',
    'localhost。:8787',
    '',
  ])('refuses the host %j', (host) => {
    expect(allowedHosts({ host: '127.0.0.1', port: 8787 }).has(host)).toBe(false);
  });
});

describe('isOwnPage', () => {
  const host = '127.0.0.1:8787';
  it.each([
    ['a program, which sends neither header', null, null, true],
    ['our page', `http://${host}`, 'same-origin', true],
    ['an address typed by a person', null, 'none', true],
    ['another site', 'https://evil.example', 'cross-site', false],
    ['another site without fetch metadata', 'https://evil.example', null, false],
    ['a sandboxed frame', 'null', 'cross-site', false],
    ['an opaque origin alone', 'null', null, false],
    ['an image or script tag elsewhere', null, 'cross-site', false],
    ['another port of this machine', 'http://127.0.0.1:3000', 'same-site', false],
    ['another port, no origin', null, 'same-site', false],
    ['the same name over https', `https://${host}`, null, false],
    ['our other name', 'http://localhost:8787', null, false],
    ['a longer name', `http://${host}.evil.example`, null, false],
    ['several origins', `http://${host} https://evil.example`, null, false],
    ['an origin with a path', `http://${host}/`, null, false],
    ['an empty origin', '', null, false],
    ['an unknown kind of site', null, 'whatever', false],
  ])('judges %s', (_who, origin, secFetchSite, expected) => {
    expect(isOwnPage({ host, origin, secFetchSite })).toBe(expected);
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1'])('holds for %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
  it.each(['0.0.0.0', '::', '192.168.1.5', '127.evil.example', 'localhost.evil.example', ''])(
    'does not hold for %j',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('isUnsafe', () => {
  it('holds for every method but reading ones', () => {
    const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'BREW'];
    expect(methods.filter(isUnsafe)).toEqual(['POST', 'PUT', 'PATCH', 'DELETE', 'BREW']);
  });
});
