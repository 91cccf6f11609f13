/** Follows a session's events over a fetch stream, and comes back by itself after any break (runtime.md, Events). */
import type { WireEvent } from '@astroresearch/core';
import { ApiError, isRecord } from './client.ts';
import { createSseParser, type SseFrame } from './sse-parser.ts';

/** `gone`: the session does not exist. `refused`: signed out. Neither is tried again. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'gone' | 'refused';

/** Runs `run` after `delayMs`; the result calls it off. */
export type Timer = (run: () => void, delayMs: number) => () => void;

export type FollowParts = {
  /** Opens the stream of what comes after `after`. */
  readonly open: (after: number, signal: AbortSignal) => Promise<Response>;
  readonly onEvent: (event: WireEvent) => void;
  readonly onConnection: (connection: Connection) => void;
  readonly timer: Timer;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
};

/** The server sends a heartbeat every 15 s: three missed ones mean that nobody is there. */
const SILENCE_MS = 45_000;
const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 10_000;

/**
 * Runs until the signal aborts or the session is gone. Every durable event is delivered once and in order, also over
 * breaks: a new connection asks for what comes after the last one, and what it sends twice is left out.
 */
export async function followEvents(parts: FollowParts): Promise<void> {
  const { signal, onConnection, timer, random } = parts;
  let lastSeq = 0;
  let failures = 0;
  while (!signal.aborted) {
    onConnection(failures === 0 ? 'connecting' : 'reconnecting');
    try {
      await readOnce(parts, lastSeq, (event) => {
        failures = 0;
        if (event.seq !== null) {
          if (event.seq <= lastSeq) return;
          lastSeq = event.seq;
        }
        parts.onEvent(event);
      });
    } catch (error) {
      if (signal.aborted) return;
      const refusal = refusalOf(error);
      if (refusal !== null) return onConnection(refusal);
    }
    failures += 1;
    await pause(backoffMs(failures, random()), timer, signal);
  }
}

/** One connection, to its end. */
async function readOnce(
  parts: FollowParts,
  after: number,
  onEvent: (event: WireEvent) => void,
): Promise<void> {
  const attempt = new AbortController();
  const abort = () => attempt.abort();
  parts.signal.addEventListener('abort', abort);
  let stopWatching = parts.timer(abort, SILENCE_MS);
  try {
    const response = await parts.open(after, attempt.signal);
    if (response.body === null) return;
    parts.onConnection('live');
    const parser = createSseParser();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    // Whatever the transport makes of the abort: the read ends.
    attempt.signal.addEventListener('abort', () => reader.cancel().catch(() => undefined));
    if (attempt.signal.aborted) return;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || attempt.signal.aborted) return;
      stopWatching();
      stopWatching = parts.timer(abort, SILENCE_MS);
      for (const frame of parser.push(decoder.decode(value, { stream: true }))) {
        const event = eventOf(frame);
        if (event !== null && !parts.signal.aborted) onEvent(event);
      }
    }
  } finally {
    stopWatching();
    parts.signal.removeEventListener('abort', abort);
    attempt.abort();
  }
}

/** Null for a frame that is no event of ours: it is passed over, not fatal. */
function eventOf({ id, event, data }: SseFrame): WireEvent | null {
  const seq = id === null ? null : Number(id);
  if (seq !== null && !Number.isSafeInteger(seq)) return null;
  try {
    const fields: unknown = JSON.parse(data);
    return isRecord(fields) ? { seq, type: event, data: fields as WireEvent['data'] } : null;
  } catch {
    return null;
  }
}

function refusalOf(error: unknown): Connection | null {
  if (!(error instanceof ApiError)) return null;
  if (error.status === 404) return 'gone';
  return error.status === 401 || error.status === 403 ? 'refused' : null;
}

/** Doubles up to a ceiling; the random half keeps many tabs from coming back at once. */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return full / 2 + (full / 2) * random;
}

function pause(delayMs: number, timer: Timer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancel = timer(resolve, delayMs);
    signal.addEventListener(
      'abort',
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}
