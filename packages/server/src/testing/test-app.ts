/** The app in process, as a client with the token sees it. */
import { createManualClock, type ManualClock, type Script, type Store } from '@astroresearch/runtime';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { createApp } from '../app.ts';
import { type Auth, createAuth } from '../auth.ts';
import { allowedHosts } from '../origin.ts';
import type { Page } from '../page.ts';
import { createEventStreams, type EventStreams, STREAM_LIMITS, type StreamKind } from '../sse.ts';
import { createTickets, type Tickets } from '../tickets.ts';
import { countingBytes } from './counting-bytes.ts';
import { createTestAgent, type TestAgent } from './test-agent.ts';

export const TOKEN = 'token-of-the-tests';
export const HOST = '127.0.0.1:8787';

type LogLine = { readonly level: string; readonly message: string; readonly fields: unknown };

export type TestApp = TestAgent & {
  readonly app: OpenAPIHono;
  readonly clock: ManualClock;
  readonly auth: Auth;
  readonly tickets: Tickets;
  readonly streams: EventStreams;
  readonly lines: readonly LogLine[];
  /** As anybody: only the host is given. */
  raw(method: string, path: string, headers?: Record<string, string>, body?: BodyInit): Promise<Response>;
  /** With the token; an object is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A new session's id. */
  session(fields?: Record<string, unknown>): Promise<string>;
};

export function createTestApp(
  options: {
    readonly replies?: Script;
    readonly store?: Store;
    readonly page?: Page;
    readonly limits?: Readonly<Record<StreamKind, number>>;
  } = {},
): TestApp {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const { replies = () => ({ text: 'Answered.' }) } = options;
  const testAgent = createTestAgent({
    clock,
    replies,
    ...(options.store === undefined ? {} : { store: options.store }),
  });
  const lines: LogLine[] = [];
  const log = (level: string, message: string, fields: unknown) => lines.push({ level, message, fields });
  const parts = {
    agent: testAgent.agent,
    streams: createEventStreams({
      agent: testAgent.agent,
      clock,
      log,
      limits: options.limits ?? STREAM_LIMITS,
    }),
    tickets: createTickets({ clock, randomBytes: countingBytes() }),
    auth: createAuth(TOKEN, 8787),
    hosts: allowedHosts({ host: '127.0.0.1', port: 8787 }),
    page: options.page ?? null,
    clock,
    version: '1.2.3',
    log,
  };
  const app = createApp(parts);

  const raw: TestApp['raw'] = async (method, path, headers = {}, body) => {
    const init: RequestInit = { method, headers: { host: HOST, ...headers } };
    if (body !== undefined) init.body = body;
    return app.request(new Request(`http://${HOST}${path}`, init));
  };
  const call: TestApp['call'] = (method, path, body, headers = {}) => {
    const all = { authorization: `Bearer ${TOKEN}`, ...headers };
    if (body === undefined) return raw(method, path, all);
    return raw(method, path, { 'content-type': 'application/json', ...all }, JSON.stringify(body));
  };
  return {
    ...testAgent,
    ...parts,
    app,
    lines,
    raw,
    call,
    async session(fields = {}) {
      const response = await call('POST', '/api/sessions', fields);
      const { session_id } = (await response.json()) as { session_id: string };
      return session_id;
    },
  };
}

export type ErrorAnswer = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
};

/** Status and parts of an error answer. */
export async function errorOf(response: Response): Promise<ErrorAnswer> {
  const { error } = (await response.json()) as {
    error: { code: string; message: string; details?: unknown };
  };
  return { status: response.status, code: error.code, message: error.message, details: error.details };
}
