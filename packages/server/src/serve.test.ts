import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInMemoryStore, createManualClock, type Script } from '@astroresearch/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from './serve.ts';
import { countingBytes } from './testing/counting-bytes.ts';
import { parseFrames } from './testing/parse-frames.ts';
import { createTestAgent } from './testing/test-agent.ts';

const TOKEN = 'token-of-the-tests';
let dataDir: string;
let running: RunningServer[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'serve-'));
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((server) => server.close()));
  await rm(dataDir, { recursive: true });
});

type Settings = { host?: string; port?: number; authToken?: string | null };

const answered: Script = () => ({ text: 'Answered.' });

async function start(settings: Settings = {}, replies = answered, store = createInMemoryStore()) {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const { agent, model } = createTestAgent({ clock, replies, store });
  const lines: { level: string; message: string }[] = [];
  const server = await startServer({
    agent,
    settings: { host: '127.0.0.1', port: 0, authToken: TOKEN, dataDir, ...settings },
    pageFolder: join(dataDir, 'no-page'),
    version: '1.2.3',
    clock,
    randomBytes: countingBytes(),
    log: (level, message) => lines.push({ level, message }),
  });
  running.push(server);
  const port = Number(new URL(server.address).port);
  return { server, agent, model, clock, lines, port };
}

type Options = { method?: string; path?: string; headers?: Record<string, string>; body?: string };

/** Resolves with the head of the answer. */
function open(port: number, options: Options = {}): Promise<IncomingMessage> {
  const { method = 'GET', path = '/api/sessions', headers = {}, body } = options;
  const all = {
    authorization: `Bearer ${TOKEN}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, headers: all, agent: false },
      resolve,
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

async function newSession(port: number): Promise<string> {
  const text = await textOf(await open(port, { method: 'POST', body: '{}' }));
  return (JSON.parse(text) as { session_id: string }).session_id;
}

/** Sends bytes as they are and gives back all that is answered until the connection closes. */
function rawExchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

const closed = (socket: Socket | IncomingMessage) =>
  new Promise<void>((resolve) => socket.once('close', () => resolve()));

describe('the listener', () => {
  it('answers on the port it took, and names it', async () => {
    const { server, port } = await start();
    expect(server.address).toBe(`http://127.0.0.1:${port}`);
    const response = await open(port, { path: '/healthz', headers: { authorization: '' } });
    expect([response.statusCode, await textOf(response)]).toEqual([200, '{"status":"ok","version":"1.2.3"}']);
  });

  it.each(['0.0.0.0', '::', '192.0.2.1'])('refuses %s without a token of the user', async (host) => {
    await expect(start({ host, authToken: null })).rejects.toThrow(/HOST=.*AUTH_TOKEN/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('takes all interfaces with a token of the user, and warns', async () => {
    const { server, port, lines } = await start({ host: '0.0.0.0' });
    expect(server.address).toBe(`http://127.0.0.1:${port}`);
    expect(lines[0]).toMatchObject({ level: 'warn' });
    expect((await open(port)).statusCode).toBe(200);
    expect((await open(port, { headers: { host: `0.0.0.0:${port}` } })).statusCode).toBe(421);
  });

  it('makes and keeps a token where none is given', async () => {
    const { port } = await start({ authToken: null });
    const token = (await readFile(join(dataDir, 'auth-token'), 'utf8')).trim();
    expect((await open(port, { headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(200);
    expect((await open(port)).statusCode).toBe(401);
  });

  it('says what to do when the port is taken', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    await expect(start({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
    await new Promise((resolve) => other.close(resolve));
  });

  it('says what to do when the host is not of this machine', async () => {
    await expect(start({ host: '192.0.2.1' })).rejects.toThrow(
      'HOST=192.0.2.1 is no address of this machine',
    );
  });
});

describe('the login link', () => {
  it('carries a new ticket in its fragment each time, good for one login', async () => {
    const { server, port } = await start();
    const [first, second] = [new URL(server.loginUrl()), new URL(server.loginUrl())];
    expect(first.href).not.toBe(second.href);
    const ticket = first.hash.replace('#login=', '');
    const body = JSON.stringify({ ticket });
    const login = await open(port, {
      method: 'POST',
      path: '/api/login',
      body,
      headers: { authorization: '' },
    });
    expect(login.statusCode).toBe(204);
    const cookie = login.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const headers = { cookie, host: `127.0.0.1:${port}` };
    const listed = await new Promise<IncomingMessage>((resolve) => {
      httpRequest({ host: '127.0.0.1', port, path: '/api/sessions', headers, agent: false }, resolve).end();
    });
    expect(listed.statusCode).toBe(200);
  });
});

describe('requests on the wire', () => {
  it.each([
    ['two hosts', (port: number) => `Host: 127.0.0.1:${port}\r\nHost: evil.example\r\n`],
    ['two hosts, the wrong one first', (port: number) => `Host: evil.example\r\nHost: 127.0.0.1:${port}\r\n`],
    ['no host', () => ''],
    ['an empty host', () => 'Host: \r\n'],
    ['a foreign host', () => 'Host: evil.example\r\n'],
    ['a host with a path', (port: number) => `Host: 127.0.0.1:${port}/x\r\n`],
    ['a host with a user', (port: number) => `Host: a@127.0.0.1:${port}\r\n`],
    ['a host in capitals', (port: number) => `Host: LOCALHOST:${port}\r\n`],
    ['a host with a dot behind', (port: number) => `Host: localhost.:${port}\r\n`],
    ['a decimal address', (port: number) => `Host: 2130706433:${port}\r\n`],
    [
      'a forwarded host only',
      (port: number) => `Host: evil.example\r\nX-Forwarded-Host: 127.0.0.1:${port}\r\n`,
    ],
  ])('are refused with %s', async (_what, hostLines) => {
    const { port } = await start();
    const head = `GET /api/sessions HTTP/1.1\r\n${hostLines(port)}Authorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
    expect(await rawExchange(port, head)).toMatch(/^HTTP\/1\.1 4(00|21) /);
  });

  it('are refused when their line names another host', async () => {
    const { port } = await start();
    const head = `GET http://evil.example/healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    expect(await rawExchange(port, head)).toMatch(/^HTTP\/1\.1 421 /);
  });

  it('are refused with headers over 16 KiB', async () => {
    const { port } = await start();
    const head = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Long: ${'x'.repeat(17 * 1024)}\r\n\r\n`;
    const answer = await rawExchange(port, head);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('x-content-type-options: nosniff');
    expect(answer).toContain('"code":"headers_too_large"');
  });

  it('are refused when they are not HTTP', async () => {
    const { port } = await start();
    expect(await rawExchange(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('are refused over 1 MiB, declared or chunked, and the next one works', async () => {
    const { port } = await start();
    const body = JSON.stringify({ title: 'x'.repeat(3 * 1024 * 1024) });
    const declared = await open(port, { method: 'POST', body });
    expect([declared.statusCode, JSON.parse(await textOf(declared)).error.code]).toEqual([
      413,
      'body_too_large',
    ]);
    const chunked = await open(port, { method: 'POST', body, headers: { 'transfer-encoding': 'chunked' } });
    expect(chunked.statusCode).toBe(413);
    expect((await open(port)).statusCode).toBe(200);
  });
});

describe('streams on the wire', () => {
  const sse = { accept: 'text/event-stream' };

  it('send the head and a first comment at once, unencoded', async () => {
    const { port } = await start();
    const path = `/api/sessions/${await newSession(port)}/events?after=1`;
    const response = await open(port, { path, headers: { ...sse, 'accept-encoding': 'gzip, br' } });
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers['content-encoding']).toBeUndefined();
    const first = await new Promise((resolve) => response.setEncoding('utf8').once('data', resolve));
    expect(first).toBe(': heartbeat\n\n');
    response.destroy();
  });

  it('go on for a turn whose listener has gone, and free what they held', async () => {
    const { port, agent, clock, model } = await start({}, [{ text: 'slow', hangs: true }]);
    const id = await newSession(port);
    const path = `/api/sessions/${id}/turns`;
    const turn = await open(port, { method: 'POST', path, body: '{"message":"hi"}', headers: sse });
    await new Promise((resolve) => turn.once('data', resolve));
    const other = await open(port, { path: `/api/sessions/${id}/events`, headers: sse });
    turn.destroy();
    await closed(turn);
    await agent.cancel(id);
    let text = '';
    for await (const chunk of other.setEncoding('utf8')) {
      text += chunk;
      if (text.includes('event: done')) break;
    }
    expect(parseFrames(text).at(-1)).toMatchObject({ event: 'done', data: { status: 'cancelled' } });
    expect(model.requests).toHaveLength(1);
    await running[0]?.close();
    expect(clock.waiting).toBe(0);
  });

  it('are cut off for a client that does not read, while another one sees everything', async () => {
    const big = 'x'.repeat(100_000);
    const { port, clock } = await start({}, () => ({ text: big }));
    const id = await newSession(port);
    const stalled = connect(port, '127.0.0.1');
    stalled.write(
      `GET /api/sessions/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    stalled.pause();
    const gone = closed(stalled);
    stalled.on('error', () => {});
    for (let turn = 0; turn < 120; turn++) {
      const body = JSON.stringify({ message: `turn ${turn}` });
      const path = `/api/sessions/${id}/turns`;
      const answer = await textOf(await open(port, { method: 'POST', path, body, headers: sse }));
      expect(parseFrames(answer).at(-1)?.event).toBe('done');
    }
    clock.advance(20_000);
    stalled.resume();
    await gone;
  }, 60_000);
});

describe('close', () => {
  it('ends turns and streams, tells clients to come back, and frees the port', async () => {
    const { server, port, agent, clock } = await start({}, [{ text: 'slow', hangs: true }]);
    const id = await newSession(port);
    const events = await open(port, { path: `/api/sessions/${id}/events` });
    const reading = textOf(events);
    await agent.send(id, { message: 'hello' });
    await server.close();
    const text = await reading;
    // The turn is left for the next start, not ended.
    const types = parseFrames(text).map(({ event }) => event);
    expect(types.at(-1)).toBe('turn_suspended');
    expect(types).not.toContain('done');
    expect(text).toMatch(/retry: 1000\n\n$/);
    expect(clock.waiting).toBe(0);
    await expect(open(port)).rejects.toThrow('ECONNREFUSED');
  });

  it('refuses what comes in meanwhile', async () => {
    const store = createInMemoryStore();
    let release = () => {};
    store.close = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const { server, port } = await start({}, answered, store);
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    const request = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
    // The second request has begun when the server starts to stop, so its connection is not idle.
    socket.write(`${request}\r\n${request}`);
    const first = await new Promise<string>((resolve) => socket.once('data', resolve));
    expect(first).toMatch(/^HTTP\/1\.1 200 /);
    const closing = server.close();
    socket.write('\r\n');
    const second = await new Promise<string>((resolve) => socket.once('data', resolve));
    expect(second).toMatch(/^HTTP\/1\.1 503 /);
    release();
    await closing;
  });

  it('waits no longer than ten seconds for an agent that does not close', async () => {
    const store = createInMemoryStore();
    store.close = () => new Promise(() => {});
    const { server, port, clock } = await start({}, answered, store);
    const events = await open(port, { path: `/api/sessions/${await newSession(port)}/events` });
    const reading = textOf(events);
    const closing = server.close();
    clock.advance(10_000);
    expect(await reading).toMatch(/retry: 1000\n\n$/);
    await closing;
  });

  it('may be asked for twice', async () => {
    const { server } = await start();
    await Promise.all([server.close(), server.close()]);
  });
});
