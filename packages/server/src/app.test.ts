import { createInMemoryStore, StoreError } from '@astroresearch/runtime';
import { describe, expect, it } from 'vitest';
import { createTestApp, errorOf, TOKEN } from './testing/test-app.ts';

describe('every answer', () => {
  const app = createTestApp();
  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/', 200],
    ['GET', '/api/sessions', 200],
    ['GET', '/api/sessions/nobody', 404],
    ['GET', '/api/nothing', 404],
    ['GET', '/nothing', 404],
    ['PUT', '/api/sessions', 405],
  ])('carries the security headers: %s %s', async (method, path, status) => {
    const response = await app.call(method, path);
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; font-src 'self'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('is logged by method, path and status, without query, token or body', async () => {
    const { call, lines } = createTestApp();
    await call('POST', '/api/sessions?secret=query', { title: 'private title' });
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'request',
        fields: { method: 'POST', path: '/api/sessions', status: 201, elapsed_ms: 0 },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain(TOKEN);
  });
});

describe('what is not there', () => {
  const app = createTestApp();
  it('is a JSON error below /api', async () => {
    expect(await errorOf(await app.call('GET', '/api/nothing'))).toMatchObject({
      status: 404,
      code: 'not_found',
      message: 'There is no GET /api/nothing. /api/openapi.json lists what there is.',
    });
  });

  it('says which methods a path takes', async () => {
    const response = await app.call('PUT', '/api/sessions/some-id');
    expect(response.headers.get('allow')).toBe('GET, PATCH, DELETE');
    expect((await errorOf(response)).status).toBe(405);
  });

  it.each(['/index.php', '/..%2f..%2fetc/passwd', '/assets/'])(
    'is 404 for the page path %s',
    async (path) => {
      expect((await app.raw('GET', path)).status).toBe(404);
    },
  );
});

describe('bodies', () => {
  const app = createTestApp();
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    app.raw(
      'POST',
      '/api/sessions',
      { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      body,
    );

  it('must be JSON by their type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/problem+json', '']) {
      expect(await errorOf(await post('{"title":"t"}', { 'content-type': type }))).toMatchObject({
        status: 415,
      });
    }
    expect((await post('{"title":"t"}', { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(
      201,
    );
  });

  it('must be JSON by their content', async () => {
    expect(await errorOf(await post('{"title": '))).toMatchObject({ status: 400, code: 'broken_json' });
    expect((await post('['.repeat(70) + ']'.repeat(70))).status).toBe(400);
  });

  it('name each fault with its path', async () => {
    const id = await app.session();
    const body = { message: 42, max_steps: 0, permission_mode: 'everything' };
    const answer = await errorOf(await app.call('POST', `/api/sessions/${id}/turns`, body));
    expect(answer).toMatchObject({ status: 400, code: 'bad_request' });
    const { faults } = answer.details as { faults: { path: string; in: string }[] };
    expect(faults.map((fault) => fault.path)).toEqual(['message', 'max_steps', 'permission_mode']);
    expect(app.model.requests).toEqual([]);
  });

  it('hold whole characters only', async () => {
    expect(await errorOf(await post('{"metadata":{"a":["\\ud800"]}}'))).toMatchObject({
      status: 400,
      details: { faults: [{ path: 'metadata.a.0' }] },
    });
  });

  it('are at most 1 MiB, by their declared length', async () => {
    const response = await post('{}', { 'content-length': String(1024 * 1024 + 1) });
    expect(response.headers.get('connection')).toBe('close');
    expect(await errorOf(response)).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it('are at most 1 MiB, counted as they come', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const request = new Request('http://127.0.0.1:8787/api/sessions', {
      method: 'POST',
      headers: {
        host: '127.0.0.1:8787',
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
      },
      body: endless,
      duplex: 'half',
    } as RequestInit);
    expect((await app.app.request(request)).status).toBe(413);
    expect(sent).toBeLessThan(2 * 1024 * 1024);
  });

  it('may be left out where nothing is needed', async () => {
    expect((await app.call('POST', '/api/sessions')).status).toBe(201);
  });
});

describe('a store that fails', () => {
  it.each([
    ['busy', 503, '2'],
    ['full', 507, null],
    ['read_only', 503, null],
  ] as const)('%s is answered with %i', async (kind, status, retryAfter) => {
    const store = createInMemoryStore();
    store.listSessions = () => Promise.reject(new StoreError(kind, 'disk detail'));
    const app = createTestApp({ store });
    const response = await app.call('GET', '/api/sessions');
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect(await response.text()).not.toContain('disk detail');
    expect(app.lines.find(({ level }) => level === 'error')).toMatchObject({ message: 'a request failed' });
  });
});

describe('openapi', () => {
  it('is 3.1, with every route, its errors and both credentials', async () => {
    const app = createTestApp();
    const document = (await (await app.call('GET', '/api/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { security: unknown[]; responses: Record<string, unknown> }>>;
      components: { schemas: object; securitySchemes: object };
    };
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.paths).sort()).toEqual([
      '/api/login',
      '/api/metrics',
      '/api/sessions',
      '/api/sessions/import',
      '/api/sessions/{session_id}',
      '/api/sessions/{session_id}/cancel',
      '/api/sessions/{session_id}/compact',
      '/api/sessions/{session_id}/context',
      '/api/sessions/{session_id}/events',
      '/api/sessions/{session_id}/export',
      '/api/sessions/{session_id}/fork',
      '/api/sessions/{session_id}/messages',
      '/api/sessions/{session_id}/metrics',
      '/api/sessions/{session_id}/recall',
      '/api/sessions/{session_id}/tasks',
      '/api/sessions/{session_id}/trajectory',
      '/api/sessions/{session_id}/turns',
      '/api/tools',
      '/healthz',
      '/metrics',
    ]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'cookie']);
    const turn = document.paths['/api/sessions/{session_id}/turns']?.post;
    expect(Object.keys(turn?.responses ?? {})).toEqual([
      '200',
      '202',
      '400',
      '401',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '503',
    ]);
    expect(turn?.security).toEqual([{ bearer: [] }, { cookie: [] }]);
  });
});
