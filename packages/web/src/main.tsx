/** Composition root of the page: the only place that takes the browser's own clock, storage, network and randomness. */
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/frame.css';
import './styles/sessions.css';
import './styles/conversation.css';
import './styles/timeline.css';
import './styles/folds.css';
import './styles/prose.css';
import './styles/details.css';
import { createRoot } from 'react-dom/client';
import { createClient } from './api/client.ts';
import type { Timer } from './api/event-stream.ts';
import { signIn, ticketOf } from './api/login.ts';
import { createSessionsApi } from './api/sessions-api.ts';
import { App } from './app.tsx';
import { loadMarkdown } from './parts/answer-row.tsx';
import { type Services, ServicesContext } from './services.ts';
import { createDrafts } from './state/drafts.ts';
import { createPlace } from './state/place.ts';
import { createPreferences } from './state/preferences.ts';
import { createSessionStore } from './state/session-store.ts';
import { createStore } from './state/store.ts';

const timer: Timer = (run, delayMs) => {
  const id = setTimeout(run, delayMs);
  return () => clearTimeout(id);
};

/** A hidden page draws no frames, yet its title should tell when an answer is done. */
const HIDDEN_FRAME_MS = 1000;

function nextFrame(run: () => void): void {
  let due = true;
  const once = () => {
    if (!due) return;
    due = false;
    cancel();
    run();
  };
  const cancel = timer(once, HIDDEN_FRAME_MS);
  requestAnimationFrame(once);
}

/** `crypto.randomUUID` exists only where the page is served securely; this works everywhere. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

async function start(): Promise<void> {
  const signedOut = createStore(false);
  const client = createClient({
    fetch: (input, init) => fetch(input, init),
    onSignedOut: () => signedOut.set(true),
  });
  const api = createSessionsApi(client);

  const ticket = ticketOf(location.hash);
  if (ticket !== null) {
    // The ticket leaves the address at once: it works one time, and history keeps addresses.
    history.replaceState(null, '', '/');
    await signIn(client, ticket).catch(() => undefined);
  }

  const services: Services = {
    client,
    api,
    session: createSessionStore({ events: api.events, timer, nextFrame, random: Math.random }),
    preferences: createPreferences(localStorage, navigator.languages),
    place: createPlace({ location, onHashChange: (run) => addEventListener('hashchange', run) }),
    drafts: createDrafts(localStorage),
    signedOut,
    nowMs: Date.now,
    newId,
    copyText: (text) => navigator.clipboard.writeText(text),
  };

  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root.');
  createRoot(root).render(
    <ServicesContext value={services}>
      <App />
    </ServicesContext>,
  );
  // An open session needs it at once; the empty page draws first.
  timer(() => void loadMarkdown(), services.place.snapshot() === null ? 300 : 0);
}

void start();
