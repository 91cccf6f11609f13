/** The smallest events that make a log, for tests of what keeps logs. */
import { type EventOf, messageId } from '@astroresearch/core';

const stamp = (seq: number) => ({ seq, turnId: null, agentName: 'lead', step: 0, atMs: seq });

export const testEvents = {
  created(title = 't'): EventOf<'session-created'> {
    return { ...stamp(1), type: 'session-created', title, model: null, metadata: {} };
  },

  /** A person's message. */
  said(seq: number, ordinal: number, text: string): EventOf<'message'> {
    const base = { agentName: 'lead', turnIndex: 1, step: 0, tokens: 3, createdAtMs: 0 };
    const message = {
      ...base,
      id: messageId(ordinal),
      role: 'user',
      parts: [{ type: 'text', text }],
    } as const;
    return { ...stamp(seq), type: 'message', message };
  },
};
