/** What readers see of a session from outside: context, metrics, compaction and trajectory. */
import { describe, expect, it } from 'vitest';
import { createTestApp, errorOf } from '../testing/test-app.ts';

async function talk() {
  const app = createTestApp({ replies: [{ text: 'About 73.' }, { text: 'Cepheids.' }] });
  const id = await app.session();
  for (const message of ['H0?', 'How?']) {
    const headers = { accept: 'text/event-stream' };
    await (await app.call('POST', `/api/sessions/${id}/turns`, { message }, headers)).text();
  }
  const read = async (path: string) => (await app.call('GET', `/api/sessions/${id}${path}`)).json();
  return { app, id, read };
}

describe('context', () => {
  it('shows a past request and the next one, block by block, with sums that add up', async () => {
    const { read } = await talk();
    type Context = {
      request: number;
      blocks: { kind: string; tokens: number }[];
      totals: Record<string, number>;
    };
    const first = (await read('/context?request=1')) as Context;
    expect(first.blocks.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['system', 'user']));
    expect(first.blocks.some(({ kind }) => kind === 'assistant')).toBe(false);
    const next = (await read('/context')) as Context;
    expect(next.request).toBe(3);
    expect(next.blocks.filter(({ kind }) => kind === 'assistant')).toHaveLength(2);
  });

  it('says how many requests there are where it is asked for another', async () => {
    const { app, id } = await talk();
    expect(await errorOf(await app.call('GET', `/api/sessions/${id}/context?request=9`))).toMatchObject({
      status: 404,
      details: { requests: 2 },
    });
    expect((await app.call('GET', `/api/sessions/${id}/context?request=0`)).status).toBe(400);
    expect((await errorOf(await app.call('GET', '/api/sessions/nobody/context'))).code).toBe(
      'unknown_session',
    );
  });
});

describe('metrics', () => {
  it('count a session, the process, and the same for Prometheus', async () => {
    const { app, read } = await talk();
    expect(await read('/metrics')).toMatchObject({ steps: 2, turns: { completed: 2 }, breaker: 'closed' });
    expect(await (await app.call('GET', '/api/metrics')).json()).toMatchObject({ steps: 2 });
    const text = await (await app.call('GET', '/metrics')).text();
    expect(text).toMatch(/^astroresearch_steps_total 2$/m);
    expect((await errorOf(await app.call('GET', '/api/sessions/nobody/metrics'))).code).toBe(
      'unknown_session',
    );
  });
});

describe('compact', () => {
  it('says that there is nothing to do in a small session', async () => {
    const { app, id } = await talk();
    const response = await app.call('POST', `/api/sessions/${id}/compact`, {});
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { outcome: 'nothing_to_do', trigger: 'manual', success: false },
    ]);
  });
});

describe('trajectory', () => {
  it('is one turn with its requests and messages', async () => {
    const { read } = await talk();
    type Trajectory = {
      turn: number;
      requests: unknown[];
      messages: { role: string }[];
      events: { type: string }[];
    };
    const first = (await read('/trajectory?turn=1')) as Trajectory;
    expect(first.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    expect([first.requests.length, first.events[0]?.type, first.events.at(-1)?.type]).toEqual([
      1,
      'session',
      'done',
    ]);
    expect(((await read('/trajectory')) as Trajectory).turn).toBe(2);
  });

  it('says so where there was no such turn', async () => {
    const { app, id } = await talk();
    expect((await errorOf(await app.call('GET', `/api/sessions/${id}/trajectory?turn=7`))).code).toBe(
      'not_found',
    );
    expect((await errorOf(await app.call('GET', '/api/sessions/nobody/trajectory'))).code).toBe(
      'unknown_session',
    );
  });
});
