/** Listens (reliability.md T1, T15, T34; CP38): app + sockets + an orderly end. Composed by the command line. */
import { createServer, type Server } from 'node:http';
import type { Agent, Clock } from '@astroresearch/runtime';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app.ts';
import { createAuth } from './auth.ts';
import { readOrMakeAuthToken } from './auth-token.ts';
import { errorResponse, HttpError } from './http-error.ts';
import { listenError, refuseOpenListener } from './listen-error.ts';
import type { Log } from './log.ts';
import { allowedHosts, inUrl, isLoopback } from './origin.ts';
import { loadPage } from './page.ts';
import { refuseConnection } from './refused-connection.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { createEventStreams, STREAM_LIMITS } from './sse.ts';
import { createTickets, type RandomBytes } from './tickets.ts';

export type ServerParts = {
  readonly agent: Agent;
  readonly settings: {
    readonly host: string;
    /** 0: any free one. */
    readonly port: number;
    /** Null: kept in the data folder, made at the first start. */
    readonly authToken: string | null;
    readonly dataDir: string;
  };
  /** The built web page. */
  readonly pageFolder: string;
  readonly version: string;
  readonly clock: Clock;
  /** Must be unpredictable. */
  readonly randomBytes: RandomBytes;
  readonly log: Log;
};

export type RunningServer = {
  /** `http://127.0.0.1:8787`, with the port that was taken. */
  readonly address: string;
  /** The address with a new one-time ticket in its fragment, which no server log ever sees. */
  loginUrl(): string;
  /** Takes no more requests, ends turns and streams, closes the agent; done within ten seconds. Never rejects. */
  close(): Promise<void>;
};

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_EVERY_MS = 2_000;
/** Two of the ten seconds are for the sockets. */
const AGENT_CLOSE_MS = 8_000;
const SOCKETS_CLOSE_MS = 1_500;

type FetchCallback = Parameters<typeof getRequestListener>[0];

const STOPPING = new HttpError('stopping', 'The server is stopping. Try again once it is back.', {
  headers: { connection: 'close', 'retry-after': '5' },
});
const UNREADABLE = new HttpError(
  'bad_request',
  'The request line or its Host header makes no address. Send a path and a plain Host.',
);

/** Rejects, with what to do, where it may not or cannot listen. Reads no environment, sets no signal handler. */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { agent, settings, clock, version, log } = parts;
  refuseOpenListener(settings.host, settings.authToken);
  const token = settings.authToken ?? (await readOrMakeAuthToken(settings.dataDir, parts.randomBytes));
  const page = await loadPage(parts.pageFolder);
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  });
  const port = await listen(server, settings);
  server.on('error', (error) => log('error', 'the listener failed', { error: String(error) }));
  const tickets = createTickets({ clock, randomBytes: parts.randomBytes });
  const streams = createEventStreams({ agent, clock, log, limits: STREAM_LIMITS });
  const app = createApp({
    agent,
    streams,
    tickets,
    auth: createAuth(token, port),
    hosts: allowedHosts({ host: settings.host, port }),
    page,
    clock,
    version,
    log,
  });
  server.on('clientError', refuseConnection);
  let closing: Promise<void> | null = null;
  const answer: FetchCallback = (request, bindings) =>
    closing === null ? app.fetch(request, bindings) : refusal(STOPPING);
  server.on(
    'request',
    getRequestListener(answer, {
      overrideGlobalObjects: false,
      errorHandler: () => refusal(UNREADABLE),
    }),
  );
  if (!isLoopback(settings.host)) {
    log('warn', `${settings.host} can be reached from other machines, unencrypted: put a TLS proxy in front`);
  }

  const address = `http://${inUrl(nameOf(settings.host))}:${port}`;
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const agentClosed = agent.close().catch((error: unknown) => {
      log('error', 'the agent did not close', { error: String(error) });
    });
    await within(clock, AGENT_CLOSE_MS, agentClosed);
    streams.endAll();
    server.closeIdleConnections();
    await within(clock, SOCKETS_CLOSE_MS, closed);
    server.closeAllConnections();
  };
  return {
    address,
    loginUrl: () => `${address}/#login=${tickets.issue()}`,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The port that was taken. Nothing is read from a connection before the caller has set its listeners. */
function listen(server: Server, listener: { readonly host: string; readonly port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, listener)));
    server.listen(listener.port, listener.host, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : listener.port);
    });
  });
}

/** Where a browser on this machine finds a listener on all interfaces. */
function nameOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** An answer that is given without asking the app. */
function refusal(error: HttpError): Response {
  const response = errorResponse(error);
  addSecurityHeaders(response.headers);
  return response;
}

function within(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(limitMs, resolve);
    work.finally(() => {
      cancel();
      resolve();
    });
  });
}
