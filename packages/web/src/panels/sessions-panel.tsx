/** Sessions: list, search, new, rename, delete (ui.md). */
import { type ReactNode, type Ref, useState } from 'react';
import type { SessionRow } from '../api/sessions-api.ts';
import { type Day, dayOf } from '../format.ts';
import { Icon, Mark } from '../parts/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { usePreferences, useServices, useSession, useTexts } from '../services.ts';
import { useSessionList } from '../state/use-session-list.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { SessionEntry } from './session-entry.tsx';

export function SessionsPanel({
  open,
  onClose,
  onChosen,
  searchRef,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onChosen: () => void;
  readonly searchRef: Ref<HTMLInputElement>;
}): ReactNode {
  const texts = useTexts();
  const { api, place } = useServices();
  const { sessionId, timeline } = useSession();
  const [query, setQuery] = useState('');
  const [leaving, setLeaving] = useState<SessionRow | null>(null);
  // The list is read again when the open session changes, gets a title, or begins or ends a turn.
  const list = useSessionList(api, query, `${sessionId} ${timeline.title} ${timeline.running}`);
  const choose = (id: string | null) => {
    place.go(id);
    onChosen();
  };

  return (
    <nav className="sessions drawer" data-open={open} aria-label={texts.sessions}>
      <div className="brand">
        <Mark />
        <span className="brand-name">AstroResearch</span>
        <IconButton className="only-drawer" icon="close" label={texts.closePanel} onPress={onClose} />
      </div>
      <button type="button" className="new-session" onClick={() => choose(null)}>
        <Icon name="plus" />
        {texts.newSession}
      </button>
      <label className="search">
        <Icon name="search" />
        <span className="visually-hidden">{texts.searchSessions}</span>
        <input
          ref={searchRef}
          type="search"
          value={query}
          placeholder={texts.searchSessions}
          onChange={(event) => setQuery(event.target.value)}
        />
      </label>
      <div className="sessions-list">
        {list.state === 'failed' ? (
          <div className="sessions-remark" role="alert">
            <p>{list.fault === '' ? texts.networkError : list.fault}</p>
            <button type="button" className="quiet-button" onClick={list.refresh}>
              {texts.tryAgain}
            </button>
          </div>
        ) : null}
        {list.state === 'ready' && list.rows.length === 0 ? (
          <p className="sessions-remark">{query === '' ? texts.noSessions : texts.noMatches}</p>
        ) : null}
        <Days
          rows={list.rows}
          entry={(row) => (
            <SessionEntry
              key={row.id}
              row={row.id === sessionId && timeline.title !== '' ? { ...row, title: timeline.title } : row}
              current={row.id === sessionId}
              running={row.id === sessionId && timeline.running !== null}
              onOpen={() => choose(row.id)}
              onRename={(title) => api.rename(row.id, title).then(list.refresh)}
              onDelete={() => setLeaving(row)}
            />
          )}
        />
        {list.hasMore ? (
          <button type="button" className="quiet-button" onClick={list.more}>
            {texts.moreSessions}
          </button>
        ) : null}
      </div>
      <PreferenceButtons />
      {leaving === null ? null : (
        <DeleteDialog
          title={leaving.title === '' ? texts.untitled : leaving.title}
          onKeep={() => setLeaving(null)}
          onDelete={async () => {
            await api.remove(leaving.id);
            setLeaving(null);
            if (leaving.id === sessionId) place.go(null);
            list.refresh();
          }}
        />
      )}
    </nav>
  );
}

function Days({
  rows,
  entry,
}: {
  readonly rows: readonly SessionRow[];
  readonly entry: (row: SessionRow) => ReactNode;
}): ReactNode {
  const texts = useTexts();
  const { nowMs } = useServices();
  const now = nowMs();
  const days: readonly Day[] = ['today', 'yesterday', 'earlier'];
  return days.map((day) => {
    const own = rows.filter((row) => dayOf(row.updatedAt, now) === day);
    return own.length === 0 ? null : (
      <section key={day}>
        <h2 className="day">{texts[day]}</h2>
        <ul>{own.map(entry)}</ul>
      </section>
    );
  });
}

const NEXT_THEME = { auto: 'light', light: 'dark', dark: 'auto' } as const;

function PreferenceButtons(): ReactNode {
  const texts = useTexts();
  const { preferences } = useServices();
  const { language, theme } = usePreferences();
  const themeLabel = { auto: texts.themeAuto, light: texts.themeLight, dark: texts.themeDark }[theme];
  const themeIcon = ({ auto: 'contrast', light: 'sun', dark: 'moon' } as const)[theme];
  return (
    <div className="preferences">
      <IconButton
        icon={themeIcon}
        label={themeLabel}
        onPress={() => preferences.change({ theme: NEXT_THEME[theme] })}
      />
      <button
        type="button"
        className="quiet-button"
        title={texts.switchLanguage}
        aria-label={texts.switchLanguage}
        onClick={() => preferences.change({ language: language === 'zh' ? 'en' : 'zh' })}
      >
        <Icon name="language" />
        {language === 'zh' ? 'English' : '中文'}
      </button>
    </div>
  );
}
