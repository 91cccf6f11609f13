/** Event streams as HTTP answers: how many, with which headers, and all ended at a shutdown (runtime.md, Events). */
import { isoTime, LEAD, type PublishedEvent, type WireEvent } from '@astroresearch/core';
import type { Agent, Clock, TurnEnd } from '@astroresearch/runtime';
import { type EventStream, openEventStream, type Subscription } from './event-stream.ts';
import { HttpError } from './http-error.ts';
import type { Log } from './log.ts';

type StreamRequest = {
  readonly sessionId: string;
  /** Durable events after this number, then live ones. */
  readonly afterSeq: number;
  /** Only this turn's events, and the end after its `done`; null: everything, until the client goes. */
  readonly turn: { readonly turnId: string; readonly ended: Promise<TurnEnd> | null } | null;
  /** Cuts the client's connection. */
  readonly disconnect: () => void;
};

/** A place among the streams that may be open at once. */
type StreamPlace = {
  /** Null, and the place is free again: there is no such session. The stream frees it when it ends. */
  open(request: StreamRequest): Promise<Response | null>;
  release(): void;
};

/** A stream of one turn ends with it; one that follows a session stays until its client goes. */
export type StreamKind = 'turn' | 'follow';

export type EventStreams = {
  /** Throws `HttpError` when too many of that kind are open, or the server stops. */
  reserve(kind: StreamKind): StreamPlace;
  /** Ends every stream; the clients are told to come back. */
  endAll(): void;
};

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** How many may be open at once. Idle ones are what a forgetful client piles up, hence the lower number. */
export const STREAM_LIMITS: Readonly<Record<StreamKind, number>> = { turn: 256, follow: 32 };

export function createEventStreams(parts: {
  readonly agent: Pick<Agent, 'subscribe'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Readonly<Record<StreamKind, number>>;
}): EventStreams {
  const open = new Set<EventStream>();
  const taken: Record<StreamKind, number> = { turn: 0, follow: 0 };
  let stopping = false;

  async function subscribe(sessionId: string, afterSeq: number): Promise<Subscription | null> {
    const stopper = new AbortController();
    const events = await parts.agent.subscribe(sessionId, { afterSeq, signal: stopper.signal });
    return events === null ? null : { events, stop: () => stopper.abort() };
  }

  async function openFor(request: StreamRequest, release: () => void): Promise<Response | null> {
    const { sessionId, afterSeq, turn, disconnect } = request;
    const first = await subscribe(sessionId, afterSeq);
    if (first === null) return null;
    const ofTurn = (event: PublishedEvent) => turn === null || event.turnId === turn.turnId;
    const stream = openEventStream({
      clock: parts.clock,
      sessionId,
      includes: ofTurn,
      endsWith: (event) =>
        turn !== null && event.type === 'done' && ofTurn(event) && event.agentName === LEAD,
      first,
      afterSeq,
      resubscribe: (seq) => subscribe(sessionId, seq),
      disconnect,
      onEnd(failure) {
        open.delete(stream);
        release();
        if (failure !== undefined) {
          parts.log('error', 'an event stream broke', { session_id: sessionId, error: String(failure) });
        }
      },
    });
    open.add(stream);
    void turn?.ended?.then((end) => {
      if (end.kind === 'crashed') stream.end(crashNotice(sessionId, turn.turnId, parts.clock.nowMs()));
    });
    return new Response(stream.body, { headers: STREAM_HEADERS });
  }

  return {
    reserve(kind) {
      if (stopping) throw new HttpError('stopping', 'The server is stopping. Try again once it is back.');
      if (taken[kind] >= parts.limits[kind]) throw tooMany(parts.limits[kind]);
      taken[kind] += 1;
      let held = true;
      const release = () => {
        if (held) taken[kind] -= 1;
        held = false;
      };
      return {
        release,
        async open(request) {
          try {
            const response = await openFor(request, release);
            if (response === null) release();
            return response;
          } catch (error) {
            release();
            throw error;
          }
        },
      };
    },
    endAll() {
      stopping = true;
      for (const stream of [...open]) stream.end();
    },
  };
}

function tooMany(limit: number): HttpError {
  return new HttpError(
    'too_many_streams',
    `${limit} event streams are open already. Close one, then try again.`,
    { headers: { 'retry-after': '5' } },
  );
}

/** The log could not be written, so no `done` will come: said once, without an id, since nothing was stored. */
function crashNotice(sessionId: string, turnId: string, nowMs: number): WireEvent {
  return {
    seq: null,
    type: 'error',
    data: {
      session_id: sessionId,
      turn_id: turnId,
      agent_name: LEAD,
      step: 0,
      ts: isoTime(nowMs),
      kind: 'store_failed',
      message: 'The turn could not be stored and stopped. The server log says why; send the message again.',
      retryable: true,
    },
  };
}
