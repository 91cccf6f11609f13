/** Joins deltas that come close together (runtime.md, Events: ≤ 50 ms), without changing any order. */
import type { PublishedEvent, TransientEvent } from '@astroresearch/core';
import { isTransient } from '@astroresearch/core';

export type DeltaBatch = {
  /** What goes out now: nothing while deltas gather; before any other event, all that gathered. */
  push(event: PublishedEvent): readonly PublishedEvent[];
  /** All that gathered, in order; afterwards empty. */
  flush(): readonly PublishedEvent[];
};

export function createDeltaBatch(): DeltaBatch {
  let gathered: TransientEvent[] = [];
  const flush = () => {
    const flushed = gathered;
    gathered = [];
    return flushed;
  };
  return {
    push(event) {
      if (!isDelta(event)) return [...flush(), event];
      const last = gathered.at(-1);
      if (last !== undefined && isSameMessage(last, event)) {
        gathered[gathered.length - 1] = { ...last, text: last.text + event.text };
      } else gathered.push(event);
      return [];
    },
    flush,
  };
}

/** Snapshots replace what was shown, so they are not joined to anything. */
function isDelta(event: PublishedEvent): event is TransientEvent {
  return isTransient(event) && (event.type === 'text-delta' || event.type === 'thought');
}

/** Within a step of an agent, text of one type without anything between belongs to one message. */
function isSameMessage(a: TransientEvent, b: TransientEvent): boolean {
  return a.type === b.type && a.agentName === b.agentName && a.turnId === b.turnId && a.step === b.step;
}
