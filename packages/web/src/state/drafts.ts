/** Questions not yet sent, one a session: they outlive a reload, a sign-in and a failed send (ui.md, Behaviour). */
import type { KeyValues } from './preferences.ts';

export type Drafts = {
  readonly read: (sessionId: string | null) => string;
  readonly write: (sessionId: string | null, text: string) => void;
};

export function createDrafts(storage: KeyValues): Drafts {
  const keyOf = (sessionId: string | null) => `astroresearch.draft.${sessionId ?? ''}`;
  return {
    read: (sessionId) => {
      try {
        return storage.getItem(keyOf(sessionId)) ?? '';
      } catch {
        return '';
      }
    },
    write: (sessionId, text) => {
      try {
        storage.setItem(keyOf(sessionId), text);
      } catch {
        // Full or forbidden: the text is still in its box.
      }
    },
  };
}
