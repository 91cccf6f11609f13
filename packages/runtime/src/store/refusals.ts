/** What a store itself refuses, the same in each; what its storage refuses is mapped where it happens. */
import { StoreError } from './store.ts';

/** The caller broke the contract of `append`. */
export function refusedAppend(why: string): StoreError {
  return new StoreError('failed', `Nothing was written: ${why}.`);
}

export function noSuchSession(sessionId: string): StoreError {
  return new StoreError(
    'failed',
    `There is no session ${sessionId}: it was deleted or never made. Pick one of the list.`,
  );
}

export function storeIsClosed(): StoreError {
  return new StoreError('failed', 'The store is closed. Open it again to use it.');
}
