/** The page's frame: sessions, conversation, plan and run; drawers where there is no room for all three. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ConversationPanel } from './panels/conversation-panel.tsx';
import { DetailsPanel } from './panels/details-panel.tsx';
import { SessionsPanel } from './panels/sessions-panel.tsx';
import { SignInCard } from './panels/sign-in-card.tsx';
import { IconButton } from './parts/icon-button.tsx';
import { usePreferences, useServices, useSession, useStore, useTexts } from './services.ts';
import { useMedia } from './state/use-media.ts';

/** Below it the list of sessions is a drawer; below the second, plan and run are one too. Same widths in frame.css. */
const NARROW = '(max-width: 820px)';
const NOT_WIDE = '(max-width: 1180px)';

export function App(): ReactNode {
  const texts = useTexts();
  const { language, theme } = usePreferences();
  const { place, session, signedOut } = useServices();
  const sessionId = useStore(place);
  const refused = useStore(signedOut);
  const { timeline } = useSession();
  const title = timeline.title === '' ? '' : timeline.title;

  useEffect(() => session.show(refused ? null : sessionId), [session, sessionId, refused]);
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    document.documentElement.dataset.theme = theme;
  }, [language, theme]);
  useEffect(() => {
    document.title = title === '' ? 'AstroResearch' : `${title} · AstroResearch`;
  }, [title]);

  return refused ? (
    <SignInCard onSignedIn={() => signedOut.set(false)} />
  ) : (
    <Frame title={title === '' && sessionId !== null ? texts.untitled : title} />
  );
}

function Frame({ title }: { readonly title: string }): ReactNode {
  const texts = useTexts();
  const { preferences } = useServices();
  const { details } = usePreferences();
  // Before the first question there is neither plan nor run.
  const hasRun = useSession().sessionId !== null;
  const narrow = useMedia(NARROW);
  const notWide = useMedia(NOT_WIDE);
  const [drawer, setDrawer] = useState<'sessions' | 'details' | null>(null);
  const question = useRef<HTMLTextAreaElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const menu = useRef<HTMLButtonElement>(null);

  const detailsOpen = hasRun && (notWide ? drawer === 'details' : details);
  const toggleDetails = () =>
    notWide ? setDrawer(detailsOpen ? null : 'details') : preferences.change({ details: !details });
  const openSessions = () => {
    setDrawer('sessions');
    requestAnimationFrame(() => search.current?.focus());
  };
  const close = () => {
    setDrawer(null);
    menu.current?.focus();
  };

  useEffect(() => {
    if (drawer === null) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setDrawer(null);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [drawer]);

  return (
    <div className="frame" data-details={detailsOpen}>
      <button type="button" className="skip-link" onClick={() => question.current?.focus()}>
        {texts.skipToQuestion}
      </button>
      <SessionsPanel
        open={!narrow || drawer === 'sessions'}
        onClose={close}
        onChosen={() => {
          setDrawer(null);
          question.current?.focus();
        }}
        searchRef={search}
      />
      <main className="main" inert={drawer !== null && (narrow || (notWide && drawer === 'details'))}>
        <header className="bar">
          <IconButton
            buttonRef={menu}
            className="only-narrow"
            icon="menu"
            label={texts.openSessions}
            expanded={drawer === 'sessions'}
            onPress={openSessions}
          />
          <p className="bar-title" title={title}>
            {title}
          </p>
          {hasRun ? (
            <IconButton
              icon="panel"
              label={detailsOpen ? texts.closeDetails : texts.openDetails}
              expanded={detailsOpen}
              onPress={toggleDetails}
            />
          ) : (
            <span className="bar-gap" />
          )}
        </header>
        <ConversationPanel boxRef={question} />
      </main>
      <DetailsPanel open={detailsOpen} onClose={close} />
      {drawer === null ? null : (
        <button
          type="button"
          className="backdrop"
          aria-label={texts.closePanel}
          tabIndex={-1}
          onClick={close}
        />
      )}
    </div>
  );
}
