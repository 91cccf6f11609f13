/** Gives stored originals back, by ref or by query, of one session and one agent alone, in pages (context.md 1). */
import { readRange } from './read-range.ts';
import type { Recall, RecallParts } from './recall-types.ts';
import { ALL_MESSAGES, parseRef } from './ref.ts';
import { searchMessages } from './search-messages.ts';

/**
 * Contract: nothing of another session or of an agent that was not asked for comes out. A session that is not there
 * has no messages. Rejects only where storage fails or `signal` aborts.
 */
export function createRecall(parts: RecallParts): Recall {
  return async (sessionId, request) => {
    const ref = request.ref?.trim() ?? '';
    const query = request.query?.trim() ?? '';
    if (ref === '' && query === '') return { kind: 'refused', reason: 'nothing-asked' };
    const range = ref === '' ? ALL_MESSAGES : parseRef(ref);
    if (range === null) return { kind: 'refused', reason: 'malformed-ref', ref };
    return query === ''
      ? readRange(parts, sessionId, request, range)
      : searchMessages(parts, sessionId, request, range, query);
  };
}
