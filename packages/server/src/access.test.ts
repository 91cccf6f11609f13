import { describe, expect, it } from 'vitest';
import { isGuarded } from './access.ts';
import { createTestApp, errorOf, HOST, TOKEN } from './testing/test-app.ts';

const bearer = { authorization: `Bearer ${TOKEN}` };
const cookieOf = (setCookie: string) => setCookie.split(';')[0] ?? '';

describe('the token (T1)', () => {
  const { app, raw } = createTestApp();
  /** Every route that the app has, middleware aside, with its parameters filled in. */
  const routes = [
    ...new Set(
      app.routes
        .filter(({ method }) => method !== 'ALL')
        .map(({ method, path }) => `${method} ${path.replace(/:\w+/g, 'some-id')}`),
    ),
  ].sort();
  const open = ['GET /*', 'GET /healthz', 'POST /api/login'];

  it('is asked for by every route but three', () => {
    const guarded = routes.filter((route) => isGuarded(route.split(' ')[1] ?? ''));
    expect(routes.filter((route) => !guarded.includes(route) || route === 'POST /api/login')).toEqual(open);
    expect(guarded.length).toBeGreaterThan(10);
  });

  const paths = [
    ...routes.filter((route) => !open.includes(route)),
    'GET /metrics',
    'GET /api',
    'GET /api/',
    'GET /api/not/there',
    'GET /api/login',
    'PUT /api/login',
    'POST /api/login/',
    'DELETE /api/sessions',
    'OPTIONS /api/sessions',
    'HEAD /api/sessions',
    'BREW /api/sessions',
    'GET /%61pi/sessions',
    'GET /api%2fsessions/../../api/sessions',
  ];
  it.each(paths)('is asked for by %s', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: TOKEN },
      { authorization: `Basic ${TOKEN}` },
      { cookie: 'astroresearch-8787=wrong' },
      { cookie: `astroresearch-8787=${TOKEN}` },
    ]) {
      const response = await raw(method, path, headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('opens the way with the right value', async () => {
    expect((await raw('GET', '/api/sessions', bearer)).status).toBe(200);
  });

  it('does not take a query parameter for a token', async () => {
    expect((await raw('GET', `/api/sessions?token=${TOKEN}&access_token=${TOKEN}`)).status).toBe(401);
  });

  it('is not needed for health', async () => {
    const response = await raw('GET', '/healthz');
    expect(await response.json()).toEqual({ status: 'ok', version: '1.2.3' });
  });
});

describe('the host (T2)', () => {
  const { raw, app } = createTestApp();
  const hosts = [
    'evil.example',
    'evil.example:8787',
    'localhost.:8787',
    'LOCALHOST:8787',
    'localhost:8788',
    '0.0.0.0:8787',
    '127.1:8787',
    'localhost:8787, localhost:8787',
    '',
  ];
  it.each(hosts)('%j is refused with 421 before the token is looked at', async (host) => {
    for (const path of ['/api/sessions', '/healthz', '/', '/metrics', '/nowhere']) {
      expect(await errorOf(await raw('GET', path, { ...bearer, host }))).toMatchObject({
        status: 421,
        code: 'wrong_host',
      });
    }
  });

  it('is needed', async () => {
    expect((await app.request('http://127.0.0.1:8787/healthz')).status).toBe(421);
  });

  it('must be ours in an absolute request line too', async () => {
    const request = new Request('http://evil.example/healthz', { headers: { host: HOST } });
    expect((await app.request(request)).status).toBe(421);
  });

  it.each(['127.0.0.1:8787', 'localhost:8787', '[::1]:8787'])('%s is ours', async (host) => {
    expect((await raw('GET', '/healthz', { host })).status).toBe(200);
  });
});

describe('the origin (T3)', () => {
  const app = createTestApp();
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:3000' },
    { origin: 'http://localhost:8787' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: `http://${HOST}`, 'sec-fetch-site': 'cross-site' },
  ];
  const cookie = cookieOf(app.auth.setCookie);

  it.each(foreign)('refuses %j, with either credential, and answers no CORS header', async (headers) => {
    for (const [method, path] of [
      ['POST', '/api/sessions'],
      ['GET', '/api/sessions'],
      ['GET', '/api/sessions/x/events'],
      ['POST', '/api/login'],
      ['OPTIONS', '/api/sessions'],
    ] as const) {
      for (const credential of [bearer, { cookie, 'x-astroresearch-client': 'web' }]) {
        const response = await app.raw(method, path, { ...credential, ...headers });
        expect(response.status).toBe(403);
        expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
    const { items } = (await (await app.call('GET', '/api/sessions')).json()) as { items: unknown[] };
    expect(items).toEqual([]);
  });

  it('lets our own page and programs pass', async () => {
    for (const headers of [{}, { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }]) {
      expect((await app.raw('GET', '/api/sessions', { ...bearer, ...headers })).status).toBe(200);
    }
  });

  it('lets a link elsewhere lead to the page', async () => {
    expect((await app.raw('GET', '/', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
  });
});

describe('the cookie (T3, T24)', () => {
  it('comes from a login with a ticket that works once', async () => {
    const app = createTestApp();
    const login = (ticket: string) =>
      app.raw('POST', '/api/login', { 'content-type': 'application/json' }, JSON.stringify({ ticket }));
    const ticket = app.tickets.issue();
    const response = await login(ticket);
    expect(response.status).toBe(204);
    const cookie = cookieOf(response.headers.get('set-cookie') ?? '');
    expect((await app.raw('GET', '/api/sessions', { cookie })).status).toBe(200);
    for (const refused of [ticket, 'guess', TOKEN]) {
      const again = await login(refused);
      expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null]);
    }
  });

  it('does not change anything without the header that only scripts can set', async () => {
    const app = createTestApp();
    const headers = { cookie: cookieOf(app.auth.setCookie), 'content-type': 'application/json' };
    expect((await app.raw('POST', '/api/sessions', headers, '{}')).status).toBe(403);
    const withHeader = { ...headers, 'x-astroresearch-client': 'web' };
    expect((await app.raw('POST', '/api/sessions', withHeader, '{}')).status).toBe(201);
  });

  it('is refused after its ticket has become old', async () => {
    const app = createTestApp();
    const ticket = app.tickets.issue();
    app.clock.advance(10 * 60_000);
    const body = JSON.stringify({ ticket });
    const response = await app.raw('POST', '/api/login', { 'content-type': 'application/json' }, body);
    expect(await errorOf(response)).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});
