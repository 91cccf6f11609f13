import { createInMemoryStore, StoreError } from '@astroresearch/runtime';
import { describe, expect, it } from 'vitest';
import { parseFrames } from '../testing/parse-frames.ts';
import { createTestApp, errorOf } from '../testing/test-app.ts';

const sse = { accept: 'text/event-stream' };

describe('a turn', () => {
  it('streams its own events from session to done, then ends', async () => {
    const { call, session } = createTestApp({ replies: [{ text: 'About 70 km/s/Mpc.', chunkChars: 3 }] });
    const id = await session({ title: 'First light' });
    const response = await call('POST', `/api/sessions/${id}/turns`, { message: 'H0?' }, sse);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const text = await response.text();
    expect(text.startsWith(': ')).toBe(true);
    const frames = parseFrames(text);
    expect(frames[0]).toMatchObject({ event: 'session', data: { title: 'First light' } });
    expect(frames.at(-1)).toMatchObject({ event: 'done', data: { status: 'completed' } });
    const ids = frames.flatMap((frame) => (frame.id === null ? [] : [Number(frame.id)]));
    expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
    for (const { event, id: seq, data } of frames) {
      expect(data).toMatchObject({ session_id: id, agent_name: 'lead' });
      expect(data.turn_id).toBe(frames[0]?.data.turn_id);
      expect(seq === null).toBe(
        ['text_delta', 'thought', 'text_snapshot', 'thought_snapshot'].includes(event),
      );
    }
    const said = frames.filter(({ event }) => event.startsWith('text_')).map(({ data }) => data.text);
    expect(said.join('')).toBe('About 70 km/s/Mpc.');
  });

  it('sends nothing of an earlier turn', async () => {
    const { call, session } = createTestApp();
    const id = await session();
    const ask = async (message: string) => {
      const response = await call('POST', `/api/sessions/${id}/turns`, { message }, sse);
      return parseFrames(await response.text());
    };
    await ask('first');
    const second = await ask('second');
    expect(second[0]?.event).toBe('session');
    expect(second.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(second.map(({ data }) => data.content)).not.toContain('first');
  });

  it('is accepted with its id where no stream is asked for', async () => {
    const { call, session, agent } = createTestApp();
    const id = await session();
    const response = await call('POST', `/api/sessions/${id}/turns`, { message: 'quiet' });
    expect(response.status).toBe(202);
    const { turn_id } = (await response.json()) as { turn_id: string };
    const events = await call('GET', `/api/sessions/${id}/events`);
    const reader = events.body?.getReader();
    let text = '';
    while (!text.includes('event: done')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    expect(parseFrames(text).at(-1)).toMatchObject({ event: 'done', data: { turn_id } });
    await agent.close();
  });

  it('passes its options on', async () => {
    const { call, session, model } = createTestApp();
    const id = await session({ model: 'of-the-session' });
    const send = async (body: object) => {
      await (await call('POST', `/api/sessions/${id}/turns`, body, sse)).text();
    };
    await send({ message: 'one' });
    await send({ message: 'two', model: 'of-the-turn', enable_thinking: true });
    expect(model.requests.map((request) => [request.model, request.enableThinking])).toEqual([
      ['of-the-session', false],
      ['of-the-turn', true],
    ]);
  });

  it('is 409 while one runs, with the id of that one in text and details', async () => {
    const { call, session } = createTestApp({ replies: [{ text: 'slow', hangs: true }, { text: 'next' }] });
    const id = await session();
    const first = await call('POST', `/api/sessions/${id}/turns`, { message: 'first' });
    const { turn_id } = (await first.json()) as { turn_id: string };
    for (const headers of [{}, sse]) {
      const second = await errorOf(
        await call('POST', `/api/sessions/${id}/turns`, { message: 'second' }, headers),
      );
      expect(second).toMatchObject({ status: 409, code: 'turn_running', details: { turn_id } });
      expect(second.message).toContain(turn_id);
    }
    await call('POST', `/api/sessions/${id}/cancel`);
  });

  it('ends with done cancelled after a cancel, and the next one works', async () => {
    const { call, session } = createTestApp({ replies: [{ text: 'slow', hangs: true }, { text: 'next' }] });
    const id = await session();
    const turn = await call('POST', `/api/sessions/${id}/turns`, { message: 'first' }, sse);
    const cancelled = await call('POST', `/api/sessions/${id}/cancel`);
    expect([cancelled.status, await cancelled.json()]).toEqual([202, { status: 'cancelling' }]);
    expect(parseFrames(await turn.text()).at(-1)).toMatchObject({
      event: 'done',
      data: { status: 'cancelled' },
    });
    const idle = await call('POST', `/api/sessions/${id}/cancel`, {});
    expect([idle.status, await idle.json()]).toEqual([202, { status: 'idle' }]);
    const next = await call('POST', `/api/sessions/${id}/turns`, { message: 'again' }, sse);
    expect(parseFrames(await next.text()).at(-1)).toMatchObject({ data: { status: 'completed' } });
  });

  it('goes on when its listener leaves', async () => {
    const { call, session } = createTestApp({ replies: [{ text: 'all the same' }] });
    const id = await session();
    const turn = await call('POST', `/api/sessions/${id}/turns`, { message: 'hello' }, sse);
    await turn.body?.cancel();
    const events = await call('GET', `/api/sessions/${id}/events`);
    const reader = events.body?.getReader();
    let text = '';
    while (!text.includes('event: done')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    expect(parseFrames(text).at(-1)).toMatchObject({ data: { status: 'completed' } });
  });

  it('says so and ends its stream when the log cannot be written any more', async () => {
    const store = createInMemoryStore();
    const append = store.append.bind(store);
    store.append = (sessionId, seq, epoch, events) =>
      events.some(({ type }) => type === 'step')
        ? Promise.reject(new StoreError('full', 'no space left'))
        : append(sessionId, seq, epoch, events);
    const { call, session, clock } = createTestApp({ store });
    const id = await session();
    const response = await call('POST', `/api/sessions/${id}/turns`, { message: 'hello' }, sse);
    const frames = parseFrames(await response.text());
    expect(frames.map(({ id: seq, event }) => [seq === null, event]).at(-1)).toEqual([true, 'error']);
    expect(frames.at(-1)?.data).toMatchObject({ session_id: id, kind: 'store_failed', retryable: true });
    expect(clock.waiting).toBe(0);
  });

  it.each([
    [{}],
    [{ message: '' }],
    [{ message: ' \n' }],
    [{ message: 'x', max_steps: 1.5 }],
    ['text'],
    [null],
  ])('is refused for the body %j, and no model is called', async (body) => {
    const { call, session, model } = createTestApp();
    const id = await session();
    expect((await errorOf(await call('POST', `/api/sessions/${id}/turns`, body))).status).toBe(400);
    expect(model.requests).toEqual([]);
  });

  it('needs a body', async () => {
    const { call, session } = createTestApp();
    const response = await call('POST', `/api/sessions/${await session()}/turns`);
    expect((await errorOf(response)).status).toBe(400);
  });
});
