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
 * Listens before it reads, so nothing falls between; while it reads, live events wait. Deltas that came meanwhile
 * are dropped for a snapshot of the text so far.
 */
export async function* subscribe(
  source: SubscriptionSource,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<PublishedEvent> {
  let waiting: PublishedEvent[] = [];
  let ended = signal.aborted;
  let wake = () => {};
  const end = () => {
    ended = true;
    wake();
  };
  const unlisten = source.listen((event) => {
    waiting.push(event);
    wake();
  }, end);
  signal.addEventListener('abort', end, { once: true });
  try {
    let lastSeq = afterSeq;
    for (;;) {
      const page = await source.readStored(lastSeq, PAGE_EVENTS);
      for (const event of page) {
        if (signal.aborted) return;
        yield event;
        lastSeq = event.seq;
      }
      if (page.length < PAGE_EVENTS) break;
    }
    waiting = [...waiting.filter((event) => !isTransient(event)), ...source.snapshots()];
    for (;;) {
      const ready = waiting;
      waiting = [];
      for (const event of ready) {
        if (signal.aborted) return;
        if (!isTransient(event)) {
          if (event.seq <= lastSeq) continue;
          lastSeq = event.seq;
        }
        yield event;
      }
      if (waiting.length > 0) continue;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal.removeEventListener('abort', end);
    unlisten();
  }
}
