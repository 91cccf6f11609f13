/** Steps a second over HTTP with durable SQLite, against a bare node:http server with one insert a message. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore, systemClock } from '@astroresearch/runtime';
import { startServer } from '@astroresearch/server';
import { benchAgent } from '../bench-agent.mjs';
import { round } from '../measure.mjs';

export const title = 'Steps a second over HTTP, SQLite with synchronous=FULL, sessions side by side';
const SESSIONS = 100;
const STEPS = 10;
/** Of one step: the assistant message and the tool result. */
const MESSAGES_A_STEP = 2;
const BODY = JSON.stringify({ message: 'x'.repeat(1_400) });

export async function run() {
  const folder = mkdtempSync(path.join(tmpdir(), 'astroresearch-bench-'));
  try {
    const bare = await bareServer(path.join(folder, 'bare.db'));
    const ours = await ourServer(folder);
    return [
      { server: 'bare node:http, one insert a message', 'steps/s': round(bare, 0), ratio: 1 },
      {
        server: 'AstroResearch, turns over HTTP and SSE',
        'steps/s': round(ours, 0),
        ratio: round(ours / bare, 2),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bareServer(file) {
  const Database = createRequire(new URL('../../packages/runtime/package.json', import.meta.url))(
    'better-sqlite3',
  );
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT)');
  const insert = database.prepare('INSERT INTO messages (body) VALUES (?)');
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      insert.run(Buffer.concat(chunks).toString());
      response.end('{}');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  const agent = new http.Agent({ keepAlive: true, maxSockets: SESSIONS });
  const requests = SESSIONS * STEPS * MESSAGES_A_STEP;
  const began = performance.now();
  await lanes(SESSIONS, requests / SESSIONS, () => post({ port, path: '/', agent }));
  const seconds = (performance.now() - began) / 1_000;
  agent.destroy();
  server.close();
  database.close();
  return requests / MESSAGES_A_STEP / seconds;
}

async function ourServer(folder) {
  const store = openSqliteStore({ path: path.join(folder, 'ours.db'), clock: systemClock });
  const { agent } = benchAgent({ steps: STEPS, store });
  const server = await startServer({
    agent,
    settings: { host: '127.0.0.1', port: 0, authToken: 'bench-token', dataDir: folder },
    pageFolder: folder,
    version: 'bench',
    clock: systemClock,
    randomBytes,
    log: () => {},
  });
  const { port } = new URL(server.address);
  const keepAlive = new http.Agent({ keepAlive: true, maxSockets: SESSIONS });
  const headers = { authorization: 'Bearer bench-token' };
  const ids = [];
  for (let session = 0; session < SESSIONS; session++) {
    const made = await post({ port, path: '/api/sessions', agent: keepAlive, headers, body: '{}' });
    ids.push(JSON.parse(made).session_id);
  }
  const began = performance.now();
  await Promise.all(
    ids.map(async (id) => {
      const events = await post({
        port,
        path: `/api/sessions/${id}/turns`,
        agent: keepAlive,
        headers: { ...headers, accept: 'text/event-stream' },
        body: '{"message":"go"}',
      });
      if (!events.includes('event: done')) throw new Error(events.slice(-200));
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  keepAlive.destroy();
  await server.close();
  return (SESSIONS * (STEPS + 1)) / seconds;
}

async function lanes(count, each, work) {
  const lane = async () => {
    for (let done = 0; done < each; done++) await work();
  };
  await Promise.all(Array.from({ length: count }, lane));
}

function post({ port, path: target, agent, headers = {}, body = BODY }) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        path: target,
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
