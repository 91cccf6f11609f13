/** One reader of a session's log: stored events first, then live ones, none missed and none twice (runtime.md, Events). */
import type { PublishedEvent, TransientEvent, TurnEvent } from '@astroresearch/core';
import { isTransient } from '@astroresearch/core';

const PAGE_EVENTS = 500;

export type SubscriptionSource = {
  /** Stored events after a number, ascending. */
  readStored(afterSeq: number, limit: number): Promise<readonly TurnEvent[]>;
  /** Snapshots of the messages that are being streamed at this moment. */
  snapshots(): readonly TransientEvent[];
  /** Calls `receive` for each event published from now on; the returned function ends that. */
  listen(receive: (event: PublishedEvent) => void, end: () => void): () => void;
};

/**
 * Listens from this call on, before it reads, so nothing falls between; while it reads, live events wait. Deltas that
 * came meanwhile are dropped for a snapshot of the text so far. Contract: the caller aborts `signal` in the end.
 */
export function subscribe(
  source: SubscriptionSource,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<PublishedEvent> {
  const inbox = new Inbox();
  const unlisten = source.listen(
    (event) => inbox.put(event),
    () => inbox.end(),
  );
  const stop = () => {
    unlisten();
    inbox.end();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return follow(source, afterSeq, signal, inbox, stop);
}

async function* follow(
  source: SubscriptionSource,
  afterSeq: number,
  signal: AbortSignal,
  inbox: Inbox,
  stop: () => void,
): AsyncGenerator<PublishedEvent> {
  let lastSeq = afterSeq;
  try {
    for (;;) {
      const page = await source.readStored(lastSeq, PAGE_EVENTS);
      for (const event of page) {
        if (signal.aborted) return;
        yield event;
        lastSeq = event.seq;
      }
      if (page.length < PAGE_EVENTS) break;
    }
    inbox.startLive(source.snapshots());
    for (;;) {
      for (const event of inbox.take()) {
        if (signal.aborted) return;
        if (!isTransient(event)) {
          if (event.seq <= lastSeq) continue;
          lastSeq = event.seq;
        }
        yield event;
      }
      if (!(await inbox.filled())) return;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** What was published and not yet read. */
class Inbox {
  #events: PublishedEvent[] = [];
  #ended = false;
  #wake = () => {};

  put(event: PublishedEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** From here on deltas count; those before are in the snapshots. */
  startLive(snapshots: readonly TransientEvent[]): void {
    this.#events = [...this.#events.filter((event) => !isTransient(event)), ...snapshots];
  }

  take(): readonly PublishedEvent[] {
    const taken = this.#events;
    this.#events = [];
    return taken;
  }

  /** True when there is something to take; false when nothing will come any more. */
  async filled(): Promise<boolean> {
    while (this.#events.length === 0) {
      if (this.#ended) return false;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return true;
  }
}
