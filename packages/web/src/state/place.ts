/** Where the page is: which session its address names. `#/sessions/ID`, so that a reload comes back to it. */
import { createStore, type Store } from './store.ts';

export type Place = Store<string | null> & {
  /** Goes to a session, or to the empty page. Back and forward work. */
  readonly go: (sessionId: string | null) => void;
};

/** The part of `window` that is needed. */
export type PlaceParts = {
  readonly location: Pick<Location, 'hash'>;
  readonly onHashChange: (run: () => void) => void;
};

export function createPlace({ location, onHashChange }: PlaceParts): Place {
  const store = createStore(sessionIn(location.hash));
  onHashChange(() => store.set(sessionIn(location.hash)));
  return {
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    go: (sessionId) => {
      location.hash = sessionId === null ? '#/' : `#/sessions/${encodeURIComponent(sessionId)}`;
      store.set(sessionId);
    },
  };
}

function sessionIn(hash: string): string | null {
  const id = /^#\/sessions\/([^/?#]+)$/.exec(hash)?.[1];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}
