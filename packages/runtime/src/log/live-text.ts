/** The text of messages that are being streamed: what a reader who joins in the middle is shown first. */
import type { PublishedEvent, TransientEvent } from '@astroresearch/core';
import { isTransient } from '@astroresearch/core';

export type LiveText = {
  note(event: PublishedEvent): void;
  snapshots(): readonly TransientEvent[];
};

export function createLiveText(): LiveText {
  const byAgent = new Map<string, { text: TransientEvent | null; thought: TransientEvent | null }>();
  return {
    note(event) {
      if (!isTransient(event)) {
        if (event.type === 'message' || event.type === 'done') byAgent.delete(event.agentName);
        return;
      }
      const live = byAgent.get(event.agentName) ?? { text: null, thought: null };
      byAgent.set(event.agentName, live);
      switch (event.type) {
        case 'text-delta':
          live.text = { ...event, type: 'text-snapshot', text: (live.text?.text ?? '') + event.text };
          break;
        case 'thought':
          live.thought = {
            ...event,
            type: 'thought-snapshot',
            text: (live.thought?.text ?? '') + event.text,
          };
          break;
        case 'text-snapshot':
          live.text = event;
          break;
        case 'thought-snapshot':
          live.thought = event;
          break;
        default:
          event satisfies never;
      }
    },
    snapshots() {
      const all: TransientEvent[] = [];
      for (const { text, thought } of byAgent.values()) {
        if (thought !== null) all.push(thought);
        if (text !== null) all.push(text);
      }
      return all;
    },
  };
}
