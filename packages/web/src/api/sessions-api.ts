/** The calls that the page makes, as typed functions (api.md, HTTP). */
import { type Client, isRecord } from './client.ts';

export type SessionRow = {
  readonly id: string;
  readonly title: string;
  /** ISO 8601, UTC; empty where the server does not say. */
  readonly updatedAt: string;
};

export type SessionPage = { readonly rows: readonly SessionRow[]; readonly nextCursor: string | null };
type Health = { readonly version: string; readonly provider: string };

export type SessionsApi = {
  readonly list: (query: string, cursor: string | null, signal?: AbortSignal) => Promise<SessionPage>;
  readonly create: (title: string) => Promise<SessionRow>;
  readonly rename: (id: string, title: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** The same key with the same message starts one turn, however often it is sent. */
  readonly ask: (id: string, message: string, thinking: boolean, idempotencyKey: string) => Promise<void>;
  readonly stop: (id: string) => Promise<void>;
  readonly events: (id: string, after: number, signal: AbortSignal) => Promise<Response>;
  readonly health: () => Promise<Health>;
};

const PAGE_ROWS = 40;

export function createSessionsApi(client: Client): SessionsApi {
  return {
    list: async (query, cursor, signal) => {
      const search = new URLSearchParams({ limit: String(PAGE_ROWS) });
      if (query !== '') search.set('q', query);
      if (cursor !== null) search.set('cursor', cursor);
      const page = record(
        await client.json(`/api/sessions?${search}`, signal === undefined ? {} : { signal }),
      );
      const items = Array.isArray(page.items) ? page.items : [];
      return { rows: items.map(sessionRow), nextCursor: text(page.next_cursor) || null };
    },
    create: async (title) =>
      sessionRow(await client.json('/api/sessions', { method: 'POST', body: { title } })),
    rename: async (id, title) => {
      await client.json(pathOf(id), { method: 'PATCH', body: { title } });
    },
    remove: async (id) => {
      await client.json(pathOf(id), { method: 'DELETE' });
    },
    ask: async (id, message, thinking, idempotencyKey) => {
      const body = { message, ...(thinking ? { enable_thinking: true } : {}) };
      await client.json(`${pathOf(id)}/turns`, { method: 'POST', body, idempotencyKey });
    },
    stop: async (id) => {
      await client.json(`${pathOf(id)}/cancel`, { method: 'POST', body: {} });
    },
    events: (id, after, signal) =>
      client.open(`${pathOf(id)}/events?after=${after}`, { accept: 'text/event-stream', signal }),
    health: async () => {
      const health = record(await client.json('/healthz'));
      return { version: text(health.version), provider: text(health.provider) };
    },
  };
}

function pathOf(id: string): string {
  return `/api/sessions/${encodeURIComponent(id)}`;
}

function sessionRow(value: unknown): SessionRow {
  const row = record(value);
  return {
    id: text(row.session_id) || text(row.id),
    title: text(row.title),
    updatedAt: text(row.updated_at) || text(row.created_at),
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
