/**
 * One client's stream: a subscription turned into frames, bounded in memory (reliability.md 2.5, I27, I30).
 * A client that lags is paused: the subscription is dropped and made anew after the last event sent, so nothing
 * gathers behind it and nothing durable is lost. One that stays stuck is disconnected and resumes by id.
 */
import { isTransient, type PublishedEvent, toWire, type WireEvent } from '@astroresearch/core';
import type { Clock } from '@astroresearch/runtime';
import { createDeltaBatch } from './delta-batch.ts';
import { eventFrame, HEARTBEAT_FRAME, retryFrame } from './event-frames.ts';

export type Subscription = { readonly events: AsyncIterable<PublishedEvent>; stop(): void };

export type EventStreamOptions = {
  readonly clock: Clock;
  readonly sessionId: string;
  /** What is sent; everything else is passed over. */
  readonly includes: (event: PublishedEvent) => boolean;
  /** The stream ends after such an event. */
  readonly endsWith: (event: PublishedEvent) => boolean;
  readonly first: Subscription;
  readonly afterSeq: number;
  /** Null: the session is gone. */
  readonly resubscribe: (afterSeq: number) => Promise<Subscription | null>;
  /** Cuts the connection of a client that does not read. */
  readonly disconnect: () => void;
  /** Called once, with what broke or undefined. */
  readonly onEnd: (failure?: unknown) => void;
};

export type EventStream = {
  readonly body: ReadableStream<Uint8Array>;
  /** Sends a last event, if given, and ends; does nothing on a stream that has ended. */
  end(last?: WireEvent): void;
};

export const MAX_QUEUED_BYTES = 1024 * 1024;
export const HEARTBEAT_MS = 15_000;
export const BATCH_MS = 40;
/** A paused client must take half of its queue within this time. */
export const STALL_MS = 10_000;
const RECONNECT_MS = 1_000;

export function openEventStream(options: EventStreamOptions): EventStream {
  const { clock, sessionId } = options;
  const encoder = new TextEncoder();
  const batch = createDeltaBatch();
  let queue: ReadableStreamDefaultController<Uint8Array>;
  let subscription = options.first;
  let ended = false;
  let resume: (drained: boolean) => void = () => {};
  let cancelHeartbeat = () => {};
  let cancelFlush: (() => void) | null = null;

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        queue = controller;
      },
      pull() {
        if (hasRoom()) resume(true);
      },
      cancel: () => finish(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_QUEUED_BYTES }),
  );

  const freeBytes = () => queue.desiredSize ?? 0;
  const hasRoom = () => freeBytes() >= MAX_QUEUED_BYTES / 2;
  const write = (frame: string) => queue.enqueue(encoder.encode(frame));
  const send = (event: PublishedEvent) => write(eventFrame(toWire(sessionId, event)));

  function finish(failure?: unknown): void {
    if (ended) return;
    ended = true;
    cancelHeartbeat();
    cancelFlush?.();
    subscription.stop();
    resume(false);
    options.onEnd(failure);
  }

  function end(last?: WireEvent, failure?: unknown): void {
    if (ended) return;
    for (const event of batch.flush()) send(event);
    write(last === undefined ? retryFrame(RECONNECT_MS) : eventFrame(last));
    queue.close();
    finish(failure);
  }

  function beat(): void {
    if (freeBytes() > 0) write(HEARTBEAT_FRAME);
    cancelHeartbeat = clock.after(HEARTBEAT_MS, beat);
  }

  function flush(): void {
    cancelFlush = null;
    for (const event of batch.flush()) send(event);
  }

  function take(event: PublishedEvent): void {
    const ready = batch.push(event);
    for (const one of ready) send(one);
    if (ready.length === 0) cancelFlush ??= clock.after(BATCH_MS, flush);
    else dropFlush();
  }

  function dropFlush(): void {
    cancelFlush?.();
    cancelFlush = null;
  }

  /** False: the client did not read in time, or is gone. */
  async function drained(): Promise<boolean> {
    // It may have caught up while the subscription was being dropped.
    if (ended || hasRoom()) return !ended;
    return new Promise((resolve) => {
      const cancelStall = clock.after(STALL_MS, () => resolve(false));
      resume = (answer) => {
        cancelStall();
        resolve(answer);
      };
    });
  }

  async function pump(): Promise<void> {
    let sentSeq = options.afterSeq;
    while (!ended) {
      let lagging = false;
      for await (const event of subscription.events) {
        if (ended) return;
        if (options.includes(event)) take(event);
        if (!isTransient(event)) sentSeq = event.seq;
        if (options.endsWith(event)) return end();
        lagging = freeBytes() <= 0;
        if (lagging) break;
      }
      subscription.stop();
      if (!lagging) return end();
      // What gathered is not lost: the new subscription begins with the text so far.
      batch.flush();
      dropFlush();
      if (!(await drained())) {
        if (ended) return;
        finish();
        return options.disconnect();
      }
      const next = await options.resubscribe(sentSeq);
      if (next === null) return end();
      subscription = next;
      if (ended) next.stop();
    }
  }

  beat();
  pump().catch((failure: unknown) => end(undefined, failure));
  return { body, end };
}
