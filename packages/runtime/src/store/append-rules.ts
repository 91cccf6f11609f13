/** May these events be appended? The same answer in every store (the contract of `append` in store.ts). */
import { messageId, ordinalOf, type TurnEvent } from '@astroresearch/core';
import { changeOf } from './projection.ts';
import { refusedAppend } from './refusals.ts';
import type { AppendOutcome } from './store.ts';

/** What a store knows of a session before an append. */
export type StoredHead = { readonly seq: number; readonly epoch: number; readonly deleted: boolean };

/** Throws `StoreError` for events that no log can hold; that is a bug of the caller. */
export function checkEvents(expectedSeq: number, events: readonly TurnEvent[]): void {
  events.forEach((event, index) => {
    const seq = expectedSeq + 1 + index;
    if (event.seq !== seq) {
      throw refusedAppend(
        `event ${event.type} has seq ${event.seq} where ${seq} follows; number without gaps`,
      );
    }
    if ((event.type === 'session-created') !== (seq === 1)) {
      throw refusedAppend(`seq ${seq} is a ${event.type}; begin a session with session-created, once`);
    }
    const change = changeOf(event);
    if (change?.kind !== 'add-message') return;
    const { id } = change.message;
    const ordinal = ordinalOf(id);
    if (!Number.isSafeInteger(ordinal) || ordinal < 1 || messageId(ordinal) !== id) {
      throw refusedAppend(`message id ${id}; take the next number of the session, as in m42`);
    }
  });
}

/** A stale owner learns first that it is fenced. Nobody owns a deleted session. `head` null: no such session. */
export function judgeAppend(head: StoredHead | null, expectedSeq: number, epoch: number): AppendOutcome {
  const { seq, epoch: current, deleted } = head ?? { seq: 0, epoch: 0, deleted: false };
  if (epoch !== current || deleted) return { kind: 'fenced', epoch: current };
  if (expectedSeq !== seq) return { kind: 'conflict', seq };
  return { kind: 'appended' };
}
