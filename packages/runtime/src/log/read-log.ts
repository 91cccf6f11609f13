/** Reads a session's whole log: for readers that fold it anew. */
import type { TurnEvent } from '@astroresearch/core';
import type { Store } from '../store/store.ts';

const PAGE_EVENTS = 1_000;

/** Ascending; empty where there is no such session. */
export async function readLog(store: Store, sessionId: string): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for (;;) {
    const page = await store.readEvents(sessionId, events.at(-1)?.seq ?? 0, PAGE_EVENTS);
    events.push(...page);
    if (page.length < PAGE_EVENTS) return events;
  }
}
