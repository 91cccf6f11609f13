import { isTransient, type PublishedEvent } from '@astroresearch/core';
import { createManualClock, type ManualClock } from '@astroresearch/runtime';
import { describe, expect, it } from 'vitest';
import {
  BATCH_MS,
  HEARTBEAT_MS,
  MAX_QUEUED_BYTES,
  openEventStream,
  STALL_MS,
  type Subscription,
} from './event-stream.ts';
import { parseFrames } from './testing/parse-frames.ts';

/** A log that a test fills by hand; subscribers get what is stored after their number, then what comes. */
function createFeed() {
  const stored: PublishedEvent[] = [];
  const wakeups = new Set<() => void>();
  let open = 0;
  let closed = false;
  const wakeAll = () => {
    for (const wake of [...wakeups]) wake();
  };
  return {
    get open() {
      return open;
    },
    add(...events: PublishedEvent[]) {
      stored.push(...events);
      wakeAll();
    },
    close() {
      closed = true;
      wakeAll();
    },
    subscribe(afterSeq: number): Subscription {
      open += 1;
      let stopped = false;
      async function* read(): AsyncGenerator<PublishedEvent> {
        let at = stored.findIndex((event) => !isTransient(event) && event.seq > afterSeq);
        if (at < 0) at = stored.length;
        for (;;) {
          const event = stored[at];
          if (event !== undefined) {
            at += 1;
            yield event;
          } else if (stopped || closed) return;
          else await new Promise<void>((resolve) => wakeups.add(resolve));
          if (stopped) return;
        }
      }
      return {
        events: read(),
        stop() {
          if (!stopped) open -= 1;
          stopped = true;
          wakeAll();
        },
      };
    },
  };
}

function durable(seq: number, text = ''): PublishedEvent {
  return { type: 'error', kind: 'k', message: text, retryable: false, seq, ...envelope };
}
function delta(text: string): PublishedEvent {
  return { type: 'text-delta', text, ...envelope };
}
const envelope = { turnId: 't1', agentName: 'lead', step: 1, atMs: 0 };

function setUp(feed = createFeed(), clock: ManualClock = createManualClock()) {
  const seen = { disconnected: 0, ends: [] as unknown[] };
  const stream = openEventStream({
    clock,
    sessionId: 's1',
    includes: () => true,
    endsWith: (event) => event.type === 'done',
    first: feed.subscribe(0),
    afterSeq: 0,
    resubscribe: async (afterSeq) => feed.subscribe(afterSeq),
    disconnect: () => {
      seen.disconnected += 1;
    },
    onEnd: (failure) => seen.ends.push(failure),
  });
  return { feed, clock, stream, seen, reader: stream.body.getReader() };
}

/** Lets all promises run that can run without time. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return new TextDecoder().decode(value);
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += new TextDecoder().decode(value);
  }
}

describe('event stream', () => {
  it('begins with a comment at once, and repeats one every 15 s', async () => {
    const { clock, reader } = setUp();
    expect(await readText(reader)).toBe(': heartbeat\n\n');
    clock.advance(HEARTBEAT_MS);
    expect(await readText(reader)).toBe(': heartbeat\n\n');
  });

  it('joins deltas for some milliseconds, and sends them before a durable event', async () => {
    const { feed, clock, reader } = setUp();
    await readText(reader);
    feed.add(delta('a'), delta('b'));
    await settle();
    clock.advance(BATCH_MS);
    expect(parseFrames(await readText(reader))).toMatchObject([
      { id: null, event: 'text_delta', data: { text: 'ab' } },
    ]);
    feed.add(delta('c'), durable(1));
    expect(parseFrames(await readText(reader))).toMatchObject([{ data: { text: 'c' } }]);
    expect(parseFrames(await readText(reader))).toMatchObject([{ id: '1', event: 'error' }]);
    expect(clock.waiting).toBe(1);
  });

  it('ends after the event that ends it, and lets everything go', async () => {
    const { feed, clock, reader, seen } = setUp();
    feed.add(durable(1), { type: 'done', status: 'completed', seq: 2, ...envelope }, durable(3));
    const frames = parseFrames(await readAll(reader));
    expect(frames.map(({ id }) => id)).toEqual(['1', '2']);
    expect([clock.waiting, feed.open, seen.ends]).toEqual([0, 0, [undefined]]);
  });

  it('stops its subscription and its timers when the client goes', async () => {
    const { feed, clock, reader, seen } = setUp();
    feed.add(delta('a'));
    await settle();
    await reader.cancel();
    await settle();
    expect([clock.waiting, feed.open, seen.ends]).toEqual([0, 0, [undefined]]);
  });

  it('tells the client to come back when it is ended from outside', async () => {
    const { feed, stream, reader } = setUp();
    feed.add(delta('half a'));
    await settle();
    stream.end();
    stream.end();
    const text = await readAll(reader);
    expect(parseFrames(text)).toMatchObject([{ data: { text: 'half a' } }]);
    expect(text).toMatch(/retry: 1000\n\n$/);
  });

  it('ends when the session is deleted', async () => {
    const { feed, reader, seen } = setUp();
    feed.close();
    expect(await readAll(reader)).toMatch(/retry: 1000\n\n$/);
    expect(seen.ends).toEqual([undefined]);
  });

  it('reports what broke and ends', async () => {
    const failure = new Error('the store is gone');
    async function* broken(): AsyncGenerator<PublishedEvent> {
      yield durable(1);
      throw failure;
    }
    const feed = createFeed();
    const { reader, seen } = setUp({ ...feed, subscribe: () => ({ events: broken(), stop() {} }) });
    expect(parseFrames(await readAll(reader))).toHaveLength(1);
    expect(seen.ends).toEqual([failure]);
  });

  describe('with a client that lags', () => {
    const events = Array.from({ length: 400 }, (_, index) => durable(index + 1, 'x'.repeat(10_000)));

    it('holds about 1 MiB, keeps no subscription meanwhile, and later sends everything in order once', async () => {
      const { feed, clock, reader, seen } = setUp();
      feed.add(...events);
      await settle();
      expect(feed.open).toBe(0);
      feed.add({ type: 'done', status: 'completed', seq: 401, ...envelope });
      const frames = parseFrames(await readAll(reader));
      expect(frames.map(({ id }) => Number(id))).toEqual(
        Array.from({ length: 401 }, (_, index) => index + 1),
      );
      expect([clock.waiting, seen.disconnected]).toEqual([0, 0]);
    });

    it('queues no more than one event over the limit', async () => {
      const { feed, stream, reader } = setUp();
      feed.add(...events);
      await settle();
      stream.end();
      expect((await readAll(reader)).length).toBeLessThan(MAX_QUEUED_BYTES + 11_000);
    });

    it('disconnects it after it took nothing for a while', async () => {
      const { feed, clock, seen } = setUp();
      feed.add(...events);
      await settle();
      clock.advance(STALL_MS - 1);
      await settle();
      expect(seen.disconnected).toBe(0);
      clock.advance(1);
      await settle();
      expect([seen.disconnected, seen.ends, clock.waiting, feed.open]).toEqual([1, [undefined], 0, 0]);
    });

    it('goes on at once where it caught up while the subscription was dropped', async () => {
      const feed = createFeed();
      let drain = async () => {};
      const { clock, reader, seen } = setUp({
        ...feed,
        subscribe(afterSeq) {
          const { events: inner, stop } = feed.subscribe(afterSeq);
          const iterator = inner[Symbol.asyncIterator]();
          const dropped = async () => {
            await drain();
            return { done: true as const, value: undefined };
          };
          return {
            stop,
            events: { [Symbol.asyncIterator]: () => ({ next: () => iterator.next(), return: dropped }) },
          };
        },
      });
      // All reading is under way before the stream begins to wait for it.
      const reading = new Promise<string>((resolve) => {
        drain = async () => {
          drain = async () => {};
          resolve(readAll(reader));
          await settle();
        };
      });
      feed.add(...events, { type: 'done', status: 'completed', seq: 401, ...envelope });
      expect(parseFrames(await reading)).toHaveLength(401);
      expect([seen.disconnected, clock.waiting]).toEqual([0, 0]);
    });

    it('adds no heartbeats to a full queue', async () => {
      const { feed, clock, stream, reader } = setUp();
      feed.add(durable(1, 'x'.repeat(MAX_QUEUED_BYTES)));
      await settle();
      clock.advance(STALL_MS - 1);
      stream.end();
      expect((await readAll(reader)).match(/heartbeat/g)).toHaveLength(1);
    });

    it('drops what gathered, since a new subscription begins with the text so far', async () => {
      const { feed, clock, reader } = setUp();
      feed.add(durable(1, 'x'.repeat(MAX_QUEUED_BYTES - 300)), delta('y'.repeat(400)));
      await settle();
      clock.advance(BATCH_MS);
      feed.add(delta('dropped'));
      await settle();
      expect(feed.open).toBe(0);
      feed.add({ type: 'done', status: 'completed', seq: 2, ...envelope });
      const text = await readAll(reader);
      expect(parseFrames(text).map(({ event }) => event)).toEqual(['error', 'text_delta', 'done']);
      expect(text).not.toContain('dropped');
    });
  });
});
