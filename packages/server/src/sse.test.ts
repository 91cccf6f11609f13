import { describe, expect, it } from 'vitest';
import { HttpError } from './http-error.ts';
import { parseFrames } from './testing/parse-frames.ts';
import { createTestApp } from './testing/test-app.ts';

const limits = { turn: 1, follow: 1 };
const sse = { accept: 'text/event-stream' };

describe('the places for streams', () => {
  it('are given back once, however often they are released', () => {
    const { streams } = createTestApp({ limits });
    const place = streams.reserve('follow');
    expect(() => streams.reserve('follow')).toThrow(HttpError);
    place.release();
    place.release();
    streams.reserve('follow');
    expect(() => streams.reserve('follow')).toThrow(HttpError);
  });

  it('are counted apart for turns and for readers', () => {
    const { streams } = createTestApp({ limits });
    streams.reserve('follow');
    streams.reserve('turn');
    expect(() => streams.reserve('turn')).toThrow(HttpError);
  });

  it('are free again after a turn that was refused', async () => {
    const { call, session } = createTestApp({
      limits,
      replies: [{ text: 'slow', hangs: true }, { text: 'b' }],
    });
    const [busy, other] = [await session(), await session()];
    await call('POST', `/api/sessions/${busy}/turns`, { message: 'first' });
    for (const id of [busy, 'nobody', busy]) {
      const refused = await call('POST', `/api/sessions/${id}/turns`, { message: 'second' }, sse);
      expect([409, 404]).toContain(refused.status);
    }
    const turn = await call('POST', `/api/sessions/${other}/turns`, { message: 'third' }, sse);
    expect(parseFrames(await turn.text()).at(-1)?.event).toBe('done');
    await call('POST', `/api/sessions/${busy}/cancel`);
  });

  it('that are missing keep a turn from starting', async () => {
    const { call, session, streams, model } = createTestApp({ limits });
    streams.reserve('turn');
    const refused = await call('POST', `/api/sessions/${await session()}/turns`, { message: 'x' }, sse);
    expect(refused.status).toBe(429);
    expect(model.requests).toEqual([]);
  });
});
