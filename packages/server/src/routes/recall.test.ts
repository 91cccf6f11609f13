import { describe, expect, it } from 'vitest';
import { createTestApp, errorOf } from '../testing/test-app.ts';

type Page = {
  items: {
    ref: string;
    role: string;
    text: string;
    offset: number;
    next_offset?: number;
    total_chars: number;
  }[];
  next?: { ref?: string; offset: number };
  total?: number;
};

async function sessionOf(question: string, answer: string) {
  const app = createTestApp({ replies: [{ text: answer }, { text: answer }] });
  const talk = async () => {
    const id = await app.session();
    const headers = { accept: 'text/event-stream' };
    await (await app.call('POST', `/api/sessions/${id}/turns`, { message: question }, headers)).text();
    return id;
  };
  const id = await talk();
  const get = (query: string, session = id) => app.call('GET', `/api/sessions/${session}/recall${query}`);
  const read = async (query: string) => (await (await get(query)).json()) as Page;
  return { app, id, get, read, talk };
}

describe('recall', () => {
  it('gives a message by its ref', async () => {
    const { read } = await sessionOf('H0?', 'About 73 km/s/Mpc.');
    expect(await read('?ref=m3')).toEqual({
      items: [{ ref: 'm3', role: 'assistant', text: 'About 73 km/s/Mpc.', offset: 0, total_chars: 18 }],
    });
    const { items } = await read('?ref=m2-m3&offset=4');
    expect(items.map(({ ref, text, offset }) => [ref, text, offset])).toEqual([
      ['m3', 'bout 73 km/s/Mpc.', 1],
    ]);
  });

  it('gives long messages in pages, each of which names the next', async () => {
    const answer = '造父变星 🌌 '.repeat(6_000).trim();
    const { read } = await sessionOf('Tell me all', answer);
    let text = '';
    let next: Page['next'] = { ref: 'm3', offset: 0 };
    while (next !== undefined) {
      const page: Page = await read(`?ref=${next.ref}&offset=${next.offset}`);
      expect(page.items[0]?.next_offset).toBe(page.next?.offset);
      text += page.items[0]?.text;
      next = page.next;
    }
    expect(text).toBe(answer);
  });

  it('finds messages by words, Chinese included', async () => {
    const { read } = await sessionOf('造父变星的距离？', 'Cepheids: 785 kpc');
    expect(await read(`?q=${encodeURIComponent('变星')}`)).toMatchObject({
      items: [{ ref: 'm2', role: 'user' }],
      total: 1,
    });
    expect(await read('?q=cepheids')).toMatchObject({ items: [{ ref: 'm3', text: 'Cepheids: 785 kpc' }] });
    expect(await read('?q=quasar')).toEqual({ items: [], total: 0 });
    expect((await read('?q=cepheids&ref=m2')).items).toEqual([]);
    expect((await read('?q=cepheids&agent_name=sub_12345678')).items).toEqual([]);
  });

  it('gives nothing of another session', async () => {
    const { talk, get, id } = await sessionOf('the secret is xylograph-442', 'noted');
    const other = await talk();
    expect(other).not.toBe(id);
    const empty = await sessionOf('hello', 'hi');
    expect(await (await empty.get('?q=secret')).text()).not.toContain('xylograph');
    expect(await (await get('?q=xylograph', other)).json()).toMatchObject({ total: 1 });
  });

  it.each([
    ['', 400, 'Give a ref'],
    ['?ref=&q=', 400, 'Give a ref'],
    ['?ref=third', 400, '"third" is no ref'],
    ['?ref=m3&offset=99999', 400, 'm3 has 2 characters'],
    ['?ref=m3&offset=-1', 400, 'whole number'],
    [`?q=${'a'.repeat(501)}`, 400, '500'],
    ['?ref=m99', 404, 'the nearest: m3'],
  ])('says what to do for %j', async (query, status, text) => {
    const { get } = await sessionOf('hello', 'hi');
    const error = await errorOf(await get(query));
    expect(error.status).toBe(status);
    expect(error.message).toContain(text);
  });

  it('is 404 for a session that is not there', async () => {
    const { get } = await sessionOf('hello', 'hi');
    expect(await errorOf(await get('?ref=m1', 'nobody'))).toMatchObject({
      status: 404,
      code: 'unknown_session',
    });
  });
});
