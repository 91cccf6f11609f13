/** One open session: its events, folded by core, at most once a frame (architecture.md, web). */
import { emptyTimeline, foldTimeline, type Timeline, type WireEvent } from '@astroresearch/core';
import { type Connection, followEvents, type Timer } from '../api/event-stream.ts';
import { createStore, type Store } from './store.ts';

export type SessionView = {
  /** Null while no session is open. */
  readonly sessionId: string | null;
  readonly timeline: Timeline;
  readonly connection: Connection;
};

export type SessionStore = Store<SessionView> & {
  /** Leaves the session that is open and follows this one; null follows none. */
  readonly show: (sessionId: string | null) => void;
};

export type SessionStoreParts = {
  readonly events: (sessionId: string, after: number, signal: AbortSignal) => Promise<Response>;
  readonly timer: Timer;
  /** Runs once, before the next frame is drawn. */
  readonly nextFrame: (run: () => void) => void;
  readonly random: () => number;
};

const CLOSED: SessionView = { sessionId: null, timeline: emptyTimeline(), connection: 'connecting' };

export function createSessionStore({ events, timer, nextFrame, random }: SessionStoreParts): SessionStore {
  const store = createStore<SessionView>(CLOSED);
  let leave = new AbortController();

  function follow(sessionId: string): void {
    const { signal } = leave;
    let waiting: WireEvent[] = [];
    const flush = () => {
      if (signal.aborted) return;
      const arrived = waiting;
      waiting = [];
      const view = store.snapshot();
      store.set({ ...view, timeline: arrived.reduce(foldTimeline, view.timeline) });
    };
    void followEvents({
      open: (after, attempt) => events(sessionId, after, attempt),
      onEvent: (event) => {
        waiting.push(event);
        if (waiting.length === 1) nextFrame(flush);
      },
      onConnection: (connection) => {
        if (!signal.aborted) store.set({ ...store.snapshot(), connection });
      },
      timer,
      random,
      signal,
    });
  }

  return {
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    show: (sessionId) => {
      if (sessionId === store.snapshot().sessionId) return;
      leave.abort();
      leave = new AbortController();
      store.set({ ...CLOSED, sessionId });
      if (sessionId !== null) follow(sessionId);
    },
  };
}
