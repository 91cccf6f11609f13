import { describe, expect, it } from 'vitest';
import { createTestApp, errorOf } from '../testing/test-app.ts';

type List = { items: { session_id: string; title: string }[]; next_cursor?: string };

describe('sessions', () => {
  it('are made with title, model and metadata', async () => {
    const { call } = createTestApp();
    const body = { title: ' First light ', model: 'm1', metadata: { lab: 'ε Eri' } };
    const response = await call('POST', '/api/sessions', body);
    expect(response.status).toBe(201);
    const made = (await response.json()) as { session_id: string };
    expect(made).toEqual({
      session_id: made.session_id,
      title: 'First light',
      summary: null,
      model: 'm1',
      turn_count: 0,
      status: 'idle',
      metadata: { lab: 'ε Eri' },
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    expect(await (await call('GET', `/api/sessions/${made.session_id}`)).json()).toEqual(made);
  });

  it('are listed newest first, page by page', async () => {
    const { call, session, clock } = createTestApp();
    for (const title of ['one', 'two', 'three']) {
      await session({ title });
      clock.advance(1000);
    }
    const read = async (query: string) => (await (await call('GET', `/api/sessions${query}`)).json()) as List;
    const first = await read('?limit=2');
    expect(first.items.map(({ title }) => title)).toEqual(['three', 'two']);
    const second = await read(`?limit=2&cursor=${encodeURIComponent(first.next_cursor ?? '')}`);
    expect(second.items.map(({ title }) => title)).toEqual(['one']);
    expect('next_cursor' in second).toBe(false);
  });

  it('are found by q, and a blank q finds all', async () => {
    const { call, session } = createTestApp();
    await session({ title: 'Quasar survey zeta' });
    await session({ title: '脉冲星计时' });
    const titles = async (q: string) =>
      ((await (await call('GET', `/api/sessions?q=${encodeURIComponent(q)}`)).json()) as List).items.map(
        ({ title }) => title,
      );
    expect(await titles('zeta')).toEqual(['Quasar survey zeta']);
    expect(await titles('脉冲星')).toEqual(['脉冲星计时']);
    expect(await titles('  ')).toHaveLength(2);
  });

  it('are renamed and deleted', async () => {
    const { call, session } = createTestApp();
    const id = await session({ title: 'old' });
    const renamed = await call('PATCH', `/api/sessions/${id}`, { title: 'new' });
    expect([renamed.status, ((await renamed.json()) as { title: string }).title]).toEqual([200, 'new']);
    const gone = await call('DELETE', `/api/sessions/${id}`);
    expect([gone.status, await gone.text()]).toEqual([204, '']);
    expect((await call('GET', `/api/sessions/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/api/sessions/${id}`)).status).toBe(404);
  });

  it.each([
    ['GET', '', undefined],
    ['PATCH', '', { title: 'x' }],
    ['DELETE', '', undefined],
    ['GET', '/messages', undefined],
    ['GET', '/tasks', undefined],
    ['GET', '/events', undefined],
    ['POST', '/turns', { message: 'hi' }],
    ['POST', '/cancel', {}],
  ])('that do not exist are 404 with what to do: %s %s', async (method, tail, body) => {
    const { call } = createTestApp();
    const answer = await errorOf(await call(method, `/api/sessions/no-such-id${tail}`, body));
    expect(answer).toEqual({
      status: 404,
      code: 'unknown_session',
      message: 'There is no session no-such-id. GET /api/sessions lists them, POST /api/sessions makes one.',
      details: { session_id: 'no-such-id' },
    });
  });

  it.each([
    ['a title that is no text', { title: 7 }],
    ['a title that is too long', { title: 'x'.repeat(201) }],
    ['metadata that is no object', { metadata: [1] }],
    ['metadata over 16 KiB', { metadata: { text: 'x'.repeat(16 * 1024) } }],
  ])('are refused with %s', async (_what, body) => {
    const { call } = createTestApp();
    expect((await errorOf(await call('POST', '/api/sessions', body))).status).toBe(400);
  });

  it.each(['?limit=0', '?limit=201', '?limit=ten', '?limit=-1', '?limit=1.5', '?limit='])(
    'are not listed with %s',
    async (query) => {
      const { call } = createTestApp();
      expect((await errorOf(await call('GET', `/api/sessions${query}`))).code).toBe('bad_request');
    },
  );

  it('do not take their id for a path', async () => {
    const { call } = createTestApp();
    expect((await call('GET', '/api/sessions/..%2f..%2fetc')).status).toBe(400);
  });
});
