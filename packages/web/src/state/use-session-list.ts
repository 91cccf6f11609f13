/** The list of sessions as the panel shows it: newest first, searched by the server, page by page. */
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../api/client.ts';
import type { SessionPage, SessionRow, SessionsApi } from '../api/sessions-api.ts';

export type SessionList = {
  readonly rows: readonly SessionRow[];
  readonly state: 'loading' | 'ready' | 'failed';
  /** The server's words where it failed; empty where it did not answer at all. */
  readonly fault: string;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly refresh: () => void;
};

const TYPING_PAUSE_MS = 200;

/** `of`: what the page answers. */
type Page = SessionPage & { readonly of: string };

/** `version` changes whenever something happened that the list should show. */
export function useSessionList(api: SessionsApi, query: string, version: string): SessionList {
  const [page, setPage] = useState<Page>({ rows: [], nextCursor: null, of: '' });
  const [state, setState] = useState<SessionList['state']>('loading');
  const [fault, setFault] = useState('');
  const [asked, setAsked] = useState(0);
  const wanted = `${version} ${asked} ${query.trim()}`;

  const failed = useCallback((error: unknown) => {
    setFault(error instanceof ApiError && error.status !== 0 ? error.message : '');
    setState('failed');
  }, []);

  useEffect(() => {
    const stop = new AbortController();
    const read = () =>
      api.list(query.trim(), null, stop.signal).then(
        (first) => {
          setPage({ ...first, of: wanted });
          setState('ready');
        },
        (error) => {
          if (!stop.signal.aborted) failed(error);
        },
      );
    const waiting = setTimeout(read, query === '' ? 0 : TYPING_PAUSE_MS);
    return () => {
      clearTimeout(waiting);
      stop.abort();
    };
  }, [api, query, wanted, failed]);

  function more(): void {
    const { nextCursor, of } = page;
    if (nextCursor === null) return;
    api.list(query.trim(), nextCursor).then((next) => {
      // A list that was read anew in the meantime begins at its first page again.
      setPage((now) => (now.of === of ? { ...next, rows: joined(now.rows, next.rows), of } : now));
    }, failed);
  }

  return {
    rows: page.rows,
    state,
    fault,
    hasMore: page.nextCursor !== null,
    more,
    refresh: () => setAsked((count) => count + 1),
  };
}

/** A session that moved between two pages shows once. */
function joined(before: readonly SessionRow[], next: readonly SessionRow[]): readonly SessionRow[] {
  return [...before, ...next.filter((row) => before.every((one) => one.id !== row.id))];
}
