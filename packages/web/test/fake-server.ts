/** Serves the built page and a canned API (api.md), so that the page can be tested without an agent behind it. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { FakeSession } from './fake-session.ts';
import { scriptFor } from './scripts.ts';

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export type FakeServer = {
  readonly url: string;
  readonly sessions: Map<string, FakeSession>;
  /** Header, path and method of every API call so far. */
  readonly calls: { readonly method: string; readonly path: string; readonly client: string | undefined }[];
  /** While set, starting a turn fails with this answer. */
  fault: { readonly status: number; readonly message: string } | null;
  /** While set, every API call needs the cookie that this ticket buys once. */
  ticket: string | null;
  /** Cuts every open event stream. */
  readonly cutStreams: () => void;
  readonly close: () => Promise<void>;
};

const COOKIE = 'fake=signed-in';

export async function startFakeServer(dist: string): Promise<FakeServer> {
  const sessions = new Map<string, FakeSession>();
  const streams = new Set<ServerResponse>();
  const calls: FakeServer['calls'] = [];
  let made = 0;

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      response.writeHead(500).end(error.message);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    response.setHeader('referrer-policy', 'no-referrer');
    if (pathname === '/healthz')
      return json(response, 200, { status: 'ok', version: '0.1.0', provider: 'offline' });
    if (!pathname.startsWith('/api/')) return serveFile(dist, pathname, response);
    const method = request.method ?? 'GET';
    calls.push({ method, path: pathname, client: request.headers['x-astroresearch-client']?.toString() });
    const body = await bodyOf(request);
    if (pathname === '/api/login') return login(String(body.ticket), response);
    if (fake.ticket !== null && !request.headers.cookie?.includes(COOKIE)) {
      return fault(response, 401, 'Sign in with the link that astroresearch serve printed.');
    }
    if (pathname === '/api/sessions') {
      return method === 'POST' ? create(body, response) : list(searchParams, response);
    }
    const [, , , id = '', action = ''] = pathname.split('/');
    const session = sessions.get(id);
    if (session === undefined) return fault(response, 404, 'There is no such session.');
    switch (`${method} ${action}`) {
      case 'PATCH ':
        session.title = String(body.title);
        session.append('session_updated', { title: session.title });
        return json(response, 200, rowOf(session));
      case 'DELETE ':
        sessions.delete(id);
        response.writeHead(204).end();
        return;
      case 'POST turns':
        return ask(session, String(body.message), response);
      case 'POST cancel':
        session.cancel();
        return json(response, 202, {});
      case 'GET events':
        return follow(session, Number(searchParams.get('after') ?? 0), response);
      default:
        return fault(response, 404, `Nothing here: ${method} ${pathname}`);
    }
  }

  function login(ticket: string, response: ServerResponse): void {
    if (ticket !== fake.ticket) {
      fault(response, 401, 'This link was used already or is too old.');
      return;
    }
    response.writeHead(204, { 'set-cookie': `${COOKIE}; HttpOnly; SameSite=Strict; Path=/` }).end();
  }

  function create(body: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    made += 1;
    const session = new FakeSession(`session-${made}`, String(body.title ?? ''), new Date().toISOString());
    sessions.set(session.id, session);
    json(response, 201, rowOf(session));
  }

  function list(search: URLSearchParams, response: ServerResponse): void {
    const query = search.get('q') ?? '';
    const items = [...sessions.values()].filter((one) => one.title.includes(query)).map(rowOf);
    json(response, 200, { items: items.reverse(), next_cursor: null });
  }

  function ask(session: FakeSession, message: string, response: ServerResponse): void {
    if (fake.fault !== null) fault(response, fake.fault.status, fake.fault.message);
    else if (session.running !== null) fault(response, 409, 'A turn is running in this session.');
    else {
      void session.run(message, scriptFor(message));
      json(response, 202, { turn_id: session.running });
    }
  }

  function follow(session: FakeSession, after: number, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.write(': heartbeat\n\n');
    streams.add(response);
    const leave = session.follow(after, ({ seq, type, data }) => {
      const id = seq === null ? '' : `id: ${seq}\n`;
      response.write(`${id}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    });
    response.on('close', () => {
      leave();
      streams.delete(response);
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cutStreams = () => {
    for (const stream of streams) stream.destroy();
  };
  const fake: FakeServer = {
    url: `http://127.0.0.1:${port}`,
    sessions,
    calls,
    fault: null,
    ticket: null,
    cutStreams,
    close: () =>
      new Promise((resolve) => {
        cutStreams();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return fake;
}

function rowOf(session: FakeSession) {
  return { session_id: session.id, title: session.title, updated_at: session.updatedAt };
}

async function serveFile(dist: string, pathname: string, response: ServerResponse): Promise<void> {
  const path = normalize(join(dist, pathname === '/' ? 'index.html' : pathname));
  if (!path.startsWith(dist)) return fault(response, 404, 'Nothing here.');
  const file = await readFile(path).catch(() => null);
  if (file === null) return fault(response, 404, 'Nothing here.');
  response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(file);
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function fault(response: ServerResponse, status: number, message: string): void {
  json(response, status, { error: { code: `http_${status}`, message } });
}
