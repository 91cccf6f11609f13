import { describe, expect, it } from 'vitest';
import { STREAM_LIMITS } from '../sse.ts';
import { type ParsedFrame, parseFrames } from '../testing/parse-frames.ts';
import { createTestApp, errorOf, type TestApp } from '../testing/test-app.ts';

/** Reads frames until one of this type, then leaves. */
async function readUntil(response: Response, type: string): Promise<readonly ParsedFrame[]> {
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes(`event: ${type}\n`)) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) throw new Error(`The stream ended without ${type}: ${text}`);
    text += new TextDecoder().decode(chunk.value);
  }
  await reader?.cancel();
  return parseFrames(text);
}

async function askOnce(app: TestApp, id: string, message: string): Promise<void> {
  const headers = { accept: 'text/event-stream' };
  await (await app.call('POST', `/api/sessions/${id}/turns`, { message }, headers)).text();
}

const idsOf = (frames: readonly ParsedFrame[]) =>
  frames.flatMap(({ id }) => (id === null ? [] : [Number(id)]));

describe('events', () => {
  it('are all of them from the first, without gaps', async () => {
    const app = createTestApp();
    const id = await app.session();
    await askOnce(app, id, 'hello');
    const ids = idsOf(await readUntil(await app.call('GET', `/api/sessions/${id}/events`), 'done'));
    expect(ids).toEqual(ids.map((_, index) => index + 1));
  });

  it('concatenate over reconnects at every boundary to the same list (I27)', async () => {
    const app = createTestApp();
    const id = await app.session();
    await askOnce(app, id, 'hello');
    const path = `/api/sessions/${id}/events`;
    const all = idsOf(await readUntil(await app.call('GET', path), 'done'));
    for (const cut of all.slice(0, -1)) {
      const byQuery = await readUntil(await app.call('GET', `${path}?after=${cut}`), 'done');
      const byHeader = await readUntil(
        await app.call('GET', `${path}?after=0`, undefined, { 'last-event-id': String(cut) }),
        'done',
      );
      expect(idsOf(byQuery)).toEqual(all.filter((seq) => seq > cut));
      expect(idsOf(byHeader)).toEqual(all.filter((seq) => seq > cut));
    }
  });

  it('are the same for two readers, live ones too', async () => {
    const app = createTestApp();
    const id = await app.session();
    const path = `/api/sessions/${id}/events`;
    const [a, b] = [await app.call('GET', path), await app.call('GET', path)];
    const both = Promise.all([readUntil(a, 'done'), readUntil(b, 'done')]);
    await askOnce(app, id, 'hello');
    const [left, right] = await both;
    const durable = (frames: readonly ParsedFrame[]) => frames.filter((frame) => frame.id !== null);
    expect(durable(left)).toEqual(durable(right));
  });

  it.each(['abc', '-5', '1.5', '1e3', '0x10', 'NaN'])('are refused after %j', async (after) => {
    const app = createTestApp();
    const path = `/api/sessions/${await app.session()}/events`;
    const byHeader = await app.call('GET', path, undefined, { 'last-event-id': after });
    const byQuery = await app.call('GET', `${path}?after=${encodeURIComponent(after)}`);
    for (const response of [byHeader, byQuery]) {
      expect(await errorOf(response)).toMatchObject({ status: 400, code: 'bad_request' });
    }
  });

  it.each(['99999999', '9'.repeat(40)])('after %s, beyond the end, are the live ones', async (after) => {
    const app = createTestApp();
    const id = await app.session();
    await askOnce(app, id, 'before');
    const response = await app.call('GET', `/api/sessions/${id}/events?after=${after}`);
    const reading = readUntil(response, 'done');
    await askOnce(app, id, 'after');
    const frames = await reading;
    expect(frames[0]?.event).toBe('session');
    expect(frames.filter(({ event }) => event === 'done')).toHaveLength(1);
  });

  it('end when the session is deleted', async () => {
    const app = createTestApp();
    const id = await app.session();
    const response = await app.call('GET', `/api/sessions/${id}/events`);
    const reading = response.text();
    await app.call('DELETE', `/api/sessions/${id}`);
    const text = await reading;
    expect(parseFrames(text).at(-1)?.event).toBe('session_deleted');
    expect(text).toMatch(/retry: 1000\n\n$/);
  });

  it('have places for 32 readers, and a place again when one leaves', async () => {
    const app = createTestApp();
    const path = `/api/sessions/${await app.session()}/events`;
    const open: Response[] = [];
    for (let count = 0; count < STREAM_LIMITS.follow; count++) open.push(await app.call('GET', path));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    const refused = await app.call('GET', path);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'too_many_streams' });
    await open[0]?.body?.cancel();
    const again = await app.call('GET', path);
    expect(again.status).toBe(200);
    app.streams.endAll();
    expect(app.clock.waiting).toBe(0);
    expect((await app.call('GET', path)).status).toBe(503);
  });

  it('are not opened by HEAD, which would never end them', async () => {
    const app = createTestApp();
    const response = await app.call('HEAD', `/api/sessions/${await app.session()}/events`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    expect(app.clock.waiting).toBe(0);
  });

  it('leave no place taken by a session that is not there', async () => {
    const app = createTestApp();
    for (let count = 0; count <= STREAM_LIMITS.follow; count++) {
      expect((await app.call('GET', '/api/sessions/nobody/events')).status).toBe(404);
    }
  });
});
