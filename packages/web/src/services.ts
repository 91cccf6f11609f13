/** What the panels work with, handed down once by `main.tsx`: server, stores, clock. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Client } from './api/client.ts';
import type { SessionsApi } from './api/sessions-api.ts';
import type { Drafts } from './state/drafts.ts';
import type { Place } from './state/place.ts';
import type { Preferences, PreferencesStore } from './state/preferences.ts';
import type { SessionStore, SessionView } from './state/session-store.ts';
import type { Store, WritableStore } from './state/store.ts';
import { TEXTS, type Texts } from './texts.ts';

export type Services = {
  readonly client: Client;
  readonly api: SessionsApi;
  readonly session: SessionStore;
  readonly preferences: PreferencesStore;
  readonly place: Place;
  readonly drafts: Drafts;
  /** True while the server refuses us. */
  readonly signedOut: WritableStore<boolean>;
  readonly nowMs: () => number;
  readonly newId: () => string;
  readonly copyText: (text: string) => Promise<void>;
};

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('Render inside ServicesContext.');
  return services;
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}

export function useSession(): SessionView {
  return useStore(useServices().session);
}

export function usePreferences(): Preferences {
  return useStore(useServices().preferences);
}

export function useTexts(): Texts {
  return TEXTS[usePreferences().language];
}
