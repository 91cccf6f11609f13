/** `kill -9` of the real server in the middle of turns: nothing acknowledged is lost, nothing is done twice (I24). */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { newFolder, start } from './command-line.ts';

/** Where in its turn the server dies. */
type Moment = 'before the first byte' | 'in the middle of the text' | 'after the tools';
const MOMENTS: readonly Moment[] = ['before the first byte', 'in the middle of the text', 'after the tools'];
const ROUNDS = 12;

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const text = (content: string) => `${chunk({ content })}${chunk({}, 'stop')}data: [DONE]\n\n`;

/** A provider on loopback: dies with the server at a moment, or answers. */
async function provider() {
  let moment: Moment | null = null;
  let reached = () => {};
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const { messages } = JSON.parse(body) as { messages: { role: string }[] };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const answered = messages.some(({ role }) => role === 'tool');
      const hold = (begun: string) => {
        held.push(response);
        response.write(begun === '' ? ': waiting\n\n' : begun);
        reached();
      };
      if (moment === 'before the first byte') return hold('');
      if (moment === 'in the middle of the text') return hold(chunk({ content: 'PARTIAL' }));
      if (answered) return moment === 'after the tools' ? hold('') : response.end(text('WHOLE.'));
      const args = JSON.stringify({ todos: [{ id: '1', content: 'look', status: 'in_progress' }] });
      const call = { index: 0, id: 'call_todo', function: { name: 'todo_write', arguments: args } };
      response.end(`${chunk({ tool_calls: [call] })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Resolves when a turn has come to the moment. */
    holdAt(next: Moment): Promise<void> {
      moment = next;
      return new Promise((resolve) => {
        reached = resolve;
      });
    },
    answer() {
      moment = null;
    },
    close() {
      for (const response of held) response.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

it(`goes on with every turn after ${ROUNDS} kills: one question, one answer, one done, each effect once`, async () => {
  const folder = newFolder();
  const model = await provider();
  const env = {
    AUTH_TOKEN: 'a-token-for-this-test',
    LLM_BASE_URL: model.baseUrl,
    LLM_API_KEY: 'none',
    LLM_MODEL: 'test-model',
    AGENT_PERMISSION_MODE: 'auto',
  };
  const serve = async () => {
    const server = start(['serve', '--port', '0'], folder, env);
    const out = await server.printed('#');
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? [];
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${address}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${env.AUTH_TOKEN}`, 'content-type': 'application/json' },
      });
    return { server, call };
  };

  const turns: { readonly session: string; readonly turn: string }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { server, call } = await serve();
    const moment = MOMENTS[round % MOMENTS.length] as Moment;
    const session = ((await (await call('/api/sessions', { method: 'POST', body: '{}' })).json()) as Ids)
      .session_id;
    const reached = model.holdAt(moment);
    const body = JSON.stringify({ message: `question ${round}` });
    const sent = await call(`/api/sessions/${session}/turns`, { method: 'POST', body });
    turns.push({ session, turn: ((await sent.json()) as Ids).turn_id });
    await reached;
    server.child.kill('SIGKILL');
    await server.ended;
  }

  model.answer();
  const { server, call } = await serve();
  for (const [round, { session, turn }] of turns.entries()) {
    const events = await untilDone(await call(`/api/sessions/${session}/events?after=0`));
    expect(events.filter(({ type }) => type === 'done')).toMatchObject([
      { data: { turn_id: turn, status: 'completed' } },
    ]);
    expect(events.some(({ type }) => type === 'turn_resumed')).toBe(true);
    expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'tool_result')).toMatchObject([{ data: { status: 'ok' } }]);
    const stored = (await (await call(`/api/sessions/${session}/messages`)).json()) as Messages;
    const said = stored.items.filter(({ role }) => role !== 'system').map(({ content }) => content);
    expect(said.filter((content) => content === `question ${round}`)).toHaveLength(1);
    expect(said.filter((content) => content === 'WHOLE.')).toHaveLength(1);
    expect(said.join()).not.toContain('PARTIAL');
  }
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  model.close();
}, 180_000);

type Ids = { readonly session_id: string; readonly turn_id: string };
type Messages = { readonly items: readonly { readonly role: string; readonly content: string }[] };
type Frame = { readonly type: string; readonly data: Record<string, unknown> };

async function untilDone(response: Response): Promise<readonly Frame[]> {
  let received = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) throw new Error(`the stream ended before done: ${received}`);
    received += next.value;
    if (/event: done\n/.test(received)) break;
  }
  await reader?.cancel();
  return received.split('\n\n').flatMap((frame): readonly Frame[] => {
    const type = /^event: (.*)$/m.exec(frame)?.[1];
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    return type === undefined || data === undefined ? [] : [{ type, data: JSON.parse(data) }];
  });
}
