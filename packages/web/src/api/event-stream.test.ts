/** Following a session over good and broken connections. */
import type { WireEvent } from '@astroresearch/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from './client.ts';
import { backoffMs, type Connection, followEvents } from './event-stream.ts';

function frame(seq: number | null, text: string): string {
  const id = seq === null ? '' : `id: ${seq}\n`;
  return `${id}event: note\ndata: ${JSON.stringify({ text })}\n\n`;
}

const body = (text: string) => new Response(text);

/** Follows through `answers`, one a connection; the last one ends it. Timers fire at once, except the silence watch. */
async function follow(answers: readonly (Response | Error)[]) {
  const events: WireEvent[] = [];
  const connections: Connection[] = [];
  const asked: number[] = [];
  const stop = new AbortController();
  await followEvents({
    open: async (after) => {
      const answer = answers[asked.length];
      asked.push(after);
      if (answer === undefined) {
        stop.abort();
        throw new Error('no more answers');
      }
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onEvent: (event) => events.push(event),
    onConnection: (connection) => connections.push(connection),
    timer: (run, delayMs) => {
      if (delayMs < 45_000) queueMicrotask(run);
      return () => {};
    },
    random: () => 0,
    signal: stop.signal,
  });
  return { events, connections, asked };
}

it('asks again for what comes after the last durable event', async () => {
  const { asked, events } = await follow([
    body(frame(1, 'a') + frame(2, 'b') + frame(null, 'delta')),
    body(frame(3, 'c')),
  ]);
  expect(asked).toEqual([0, 2, 3]);
  expect(events.map((event) => event.seq)).toEqual([1, 2, null, 3]);
});

it('leaves out what a new connection sends a second time', async () => {
  const { events } = await follow([body(frame(1, 'a') + frame(2, 'b')), body(frame(2, 'b') + frame(3, 'c'))]);
  expect(events.map((event) => event.seq)).toEqual([1, 2, 3]);
});

it('comes back after a network fault', async () => {
  const { events, connections } = await follow([new ApiError(0, 'network', 'lost'), body(frame(1, 'a'))]);
  expect(events).toHaveLength(1);
  expect(connections.slice(0, 3)).toEqual(['connecting', 'reconnecting', 'live']);
});

it('gives up on a session that does not exist, and when signed out', async () => {
  const gone = await follow([new ApiError(404, 'not_found', 'no such session')]);
  expect(gone.connections).toEqual(['connecting', 'gone']);
  const refused = await follow([new ApiError(401, 'unauthorized', 'sign in')]);
  expect(refused.connections).toEqual(['connecting', 'refused']);
});

it('passes over frames that are no events', async () => {
  const { events } = await follow([
    body(`data: not json\n\nid: x\ndata: {}\n\ndata: [1]\n\n${frame(1, 'a')}`),
  ]);
  expect(events.map((event) => event.data.text)).toEqual(['a']);
});

it('gives up a connection that has gone silent', async () => {
  let fireSilence = () => {};
  let opened = 0;
  const stop = new AbortController();
  await followEvents({
    open: async (_after, signal) => {
      opened += 1;
      if (opened === 2) stop.abort();
      const stream = new ReadableStream({
        start: (controller) => signal.addEventListener('abort', () => controller.error(new Error('aborted'))),
      });
      queueMicrotask(() => fireSilence());
      return new Response(stream);
    },
    onEvent: () => {},
    onConnection: () => {},
    timer: (run, delayMs) => {
      if (delayMs >= 45_000) fireSilence = run;
      else queueMicrotask(run);
      return () => {};
    },
    random: () => 0,
    signal: stop.signal,
  });
  expect(opened).toBe(2);
});

it('delivers every durable event once and in order, wherever connections break', async () => {
  const log = Array.from({ length: 12 }, (_, index) => frame(index + 1, `望远镜 ${index}`));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(600), { minLength: 1, maxLength: 6 }), async (cuts) => {
      const seen: number[] = [];
      const stop = new AbortController();
      let connection = 0;
      await followEvents({
        open: async (after) => {
          const bytes = new TextEncoder().encode(log.slice(after).join(''));
          const cut = cuts[connection++];
          return new Response(cut === undefined ? bytes : bytes.slice(0, cut));
        },
        onEvent: (event) => {
          seen.push(event.seq ?? -1);
          if (event.seq === log.length) stop.abort();
        },
        onConnection: () => {},
        timer: (run, delayMs) => {
          if (delayMs < 45_000) queueMicrotask(run);
          return () => {};
        },
        random: () => 0,
        signal: stop.signal,
      });
      expect(seen).toEqual(log.map((_, index) => index + 1));
    }),
  );
});

it('waits longer with every failure, up to a ceiling', () => {
  expect([1, 2, 3, 20].map((failures) => backoffMs(failures, 0))).toEqual([200, 400, 800, 5000]);
  expect(backoffMs(20, 0.999)).toBeLessThan(10_000);
});
