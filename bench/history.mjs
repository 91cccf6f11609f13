/** A stored session of a given length, written through the store's own door. */
import { estimateTokens } from '@astroresearch/core';

const ANSWER = 'The distance modulus follows from the period-luminosity relation. '.repeat(8);

/** Appends `messages` question and answer messages to a new session. */
export async function storeHistory(store, sessionId, messages) {
  const base = (ordinal, text) => ({
    id: `m${ordinal}`,
    agentName: 'lead',
    turnIndex: Math.ceil(ordinal / 2),
    step: 1,
    parts: [{ type: 'text', text }],
    tokens: estimateTokens(text) + 4,
    createdAtMs: ordinal,
  });
  const envelope = { turnId: null, agentName: 'lead', step: 0, atMs: 1 };
  const events = [{ ...envelope, type: 'session-created', title: 'bench', model: null, metadata: {} }];
  events.push({
    ...envelope,
    type: 'message',
    message: { ...base(1, 'You are a benchmark.'), role: 'system' },
  });
  for (let ordinal = 2; ordinal <= messages; ordinal++) {
    const message =
      ordinal % 2 === 0
        ? { ...base(ordinal, `Question ${ordinal}`), role: 'user' }
        : { ...base(ordinal, `${ordinal}: ${ANSWER}`), role: 'assistant', ending: 'stop' };
    events.push({ ...envelope, type: 'message', message });
  }
  const numbered = events.map((event, index) => ({ ...event, seq: index + 1 }));
  for (let from = 0; from < numbered.length; from += 500) {
    const outcome = await store.append(sessionId, from, 0, numbered.slice(from, from + 500));
    if (outcome.kind !== 'appended') throw new Error(outcome.kind);
  }
}
