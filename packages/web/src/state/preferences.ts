/** What this browser remembers of its user: language, theme, thinking. Nothing of it leaves the browser. */
import type { Language } from '@astroresearch/core';
import { createStore, type Store } from './store.ts';

type Theme = 'auto' | 'light' | 'dark';

export type Preferences = {
  readonly language: Language;
  readonly theme: Theme;
  readonly thinking: boolean;
  /** Whether the panel with plan and run is open, where there is room beside the conversation. */
  readonly details: boolean;
};

export type PreferencesStore = Store<Preferences> & {
  readonly change: (change: Partial<Preferences>) => void;
};

/** The part of `Storage` that is needed; it may refuse, as in a private window. */
export type KeyValues = Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'astroresearch.preferences';

export function createPreferences(storage: KeyValues, browserLanguages: readonly string[]): PreferencesStore {
  const kept = readKept(storage);
  const store = createStore<Preferences>({
    language:
      kept.language === 'zh' || kept.language === 'en' ? kept.language : languageFrom(browserLanguages),
    theme: kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : 'auto',
    thinking: kept.thinking === true,
    details: kept.details !== false,
  });
  return {
    snapshot: store.snapshot,
    subscribe: store.subscribe,
    change: (change) => {
      store.set({ ...store.snapshot(), ...change });
      // Only what was chosen is kept: an untouched language goes on following the browser.
      try {
        storage.setItem(KEY, JSON.stringify({ ...readKept(storage), ...change }));
      } catch {
        // Full or forbidden: the choice then holds until the page is closed.
      }
    },
  };
}

/** The first of the browser's languages that we speak. */
export function languageFrom(languages: readonly string[]): Language {
  for (const tag of languages) {
    const language = tag.toLowerCase().split('-')[0];
    if (language === 'zh' || language === 'en') return language;
  }
  return 'en';
}

function readKept(storage: KeyValues): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? { ...kept } : {};
  } catch {
    return {};
  }
}
