import { describe, expect, it } from 'vitest';
import { createTestApp } from '../testing/test-app.ts';

type List = { items: { id: string; role: string; content: string }[]; next_cursor?: string };

async function sessionOfTwoTurns() {
  const app = createTestApp({ replies: [{ text: 'answer one' }, { text: 'answer two' }] });
  const id = await app.session();
  for (const message of ['question one', 'question two']) {
    const headers = { accept: 'text/event-stream' };
    await (await app.call('POST', `/api/sessions/${id}/turns`, { message }, headers)).text();
  }
  const read = async (query = '') =>
    (await (await app.call('GET', `/api/sessions/${id}/messages${query}`)).json()) as List;
  return { app, id, read };
}

describe('messages', () => {
  it('are the stored ones, oldest first', async () => {
    const { read } = await sessionOfTwoTurns();
    const { items } = await read();
    expect(items.filter(({ role }) => role !== 'system').map(({ role, content }) => [role, content])).toEqual(
      [
        ['user', 'question one'],
        ['assistant', 'answer one'],
        ['user', 'question two'],
        ['assistant', 'answer two'],
      ],
    );
  });

  it('come in pages that together are all of them', async () => {
    const { read } = await sessionOfTwoTurns();
    const all = (await read()).items.map(({ id }) => id);
    for (const limit of [1, 2, 3, all.length]) {
      const paged: string[] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const page: List = await read(`?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        expect(page.items.length).toBeLessThanOrEqual(limit);
        paged.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(paged).toEqual(all);
    }
  });

  it('are those of one agent, or with * of all', async () => {
    const { read } = await sessionOfTwoTurns();
    expect((await read('?agent_name=sub_12345678')).items).toEqual([]);
    expect(await read('?agent_name=*')).toEqual(await read('?agent_name=lead'));
  });

  it.each(['?limit=501', '?limit=0', '?cursor=m', '?cursor=7', '?cursor=m1x', '?agent_name='])(
    'are refused with %s',
    async (query) => {
      const app = createTestApp();
      const id = await app.session();
      expect((await app.call('GET', `/api/sessions/${id}/messages${query}`)).status).toBe(400);
    },
  );
});

describe('tasks and tools', () => {
  it('are lists', async () => {
    const app = createTestApp();
    const id = await app.session();
    expect(await (await app.call('GET', `/api/sessions/${id}/tasks`)).json()).toEqual({ items: [] });
    expect(await (await app.call('GET', '/api/tools')).json()).toEqual({ items: [] });
  });
});
