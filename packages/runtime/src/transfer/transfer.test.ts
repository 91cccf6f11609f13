/** Sessions out and in again: nothing lost, nothing half, nothing secret. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  agentOf,
  brokenRules,
  evolve,
  LEAD,
  NEW_SESSION,
  reasoningOf,
  type TurnEvent,
  textOf,
  toolCallsOf,
} from '@astroresearch/core';
import { compactedSession } from '@astroresearch/core/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLog } from '../log/read-log.ts';
import { createManualClock } from '../manual-clock.ts';
import { createInMemoryStore } from '../store/in-memory.ts';
import { openSqliteStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { createTestAgent, dataOf, echoTool, typesOf } from '../testing/test-agent.ts';
import type { Tool } from '../tools/tool.ts';

async function newDatabase(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'transfer-'));
  const store = openSqliteStore({ path: join(folder, 'sessions.db'), clock: createManualClock(0) });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  return store;
}

function world(store: Store = createInMemoryStore(), secrets: readonly string[] = []) {
  return { store, ...createTestAgent({ script: () => ({ text: 'Answered.' }), parts: { store, secrets } }) };
}

async function exported(
  agent: ReturnType<typeof world>['agent'],
  id: string,
  format: 'jsonl' | 'openai' = 'jsonl',
) {
  let text = '';
  for await (const line of (await agent.exportSession(id, { format })) ?? []) text += line;
  return text;
}

/** Without what differs between two exports of the same log. */
function comparable(file: string): unknown[] {
  const [header, ...events] = file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const {
    exported_at: _,
    session: { id: __, ...session },
    ...rest
  } = header;
  return [{ ...rest, session }, ...events];
}

const stateOf = (log: readonly TurnEvent[]) => log.reduce(evolve, NEW_SESSION);
const isResting = (log: readonly TurnEvent[]) => agentOf(stateOf(log), LEAD).turn.phase === 'resting';

async function imported(agent: ReturnType<typeof world>['agent'], text: string) {
  const outcome = await agent.importSession(text, { format: 'auto' });
  if (outcome.kind === 'unreadable') throw new Error(`line ${outcome.line}: ${outcome.reason}`);
  return { id: outcome.session.sessionId, report: outcome.report };
}

describe('own session files', () => {
  it('give any session again, cut anywhere, at rest', async () => {
    await fc.assert(
      fc.asyncProperty(
        compactedSession,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async ({ log }, share) => {
          const { agent, store } = world();
          const cut = log.slice(0, Math.max(1, Math.ceil(log.length * share)));
          await store.append('origin', 0, 0, cut);
          const file = await exported(agent, 'origin');
          const { id } = await imported(agent, file);
          const copy = await readLog(store, id);
          expect(copy.slice(0, cut.length)).toEqual(await readLog(store, 'origin'));
          expect(isResting(copy)).toBe(true);
          expect(
            brokenRules([...agentOf(stateOf(copy), LEAD).view].filter(({ role }) => role !== 'system')),
          ).toEqual([]);
          if (isResting(cut)) expect(comparable(await exported(agent, id))).toEqual(comparable(file));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('go from one database to another, and a turn follows', async () => {
    const script = [
      { toolCalls: [{ id: 'c1', name: 'echo', arguments: '{"text":"hi"}' }] },
      { text: 'Done.' },
    ];
    let nth = 0;
    const from = createTestAgent({
      script: () => script[nth++] ?? { text: 'More.' },
      tools: [echoTool as Tool],
      parts: { store: await newDatabase() },
    });
    const { sessionId } = await from.agent.createSession({ title: 'Named' });
    await from.ask(sessionId, 'Say hi');
    const to = world(await newDatabase());
    const { id } = await imported(to.agent, await exported(from.agent, sessionId));
    expect(comparable(await exported(to.agent, id))).toEqual(
      comparable(await exported(from.agent, sessionId)),
    );
    const events = await to.ask(id, 'Go on');
    expect(dataOf(events, 'done')[0]?.status).toBe('completed');
    expect(to.model.requests.at(-1)?.messages.map(textOf).join('\n')).toContain('Done.');
    expect(to.faults).toEqual([]);
  });

  it.each([
    ['a line that is cut off', (lines: string[]) => [...lines.slice(0, -1), '{"seq":'], 2],
    ['a missing end', (lines: string[]) => lines.slice(0, -1), 1],
    [
      'a strange event',
      (lines: string[]) => [lines[0] ?? '', (lines[1] ?? '').replace('session_created', 'boom')],
      2,
    ],
    [
      'a wrong number',
      (lines: string[]) => [lines[0] ?? '', (lines[1] ?? '').replace('"seq":1', '"seq":7')],
      2,
    ],
    [
      'a later version',
      (lines: string[]) => [(lines[0] ?? '').replace('"version":1', '"version":2'), lines[1] ?? ''],
      1,
    ],
  ])('with %s are refused, and nothing is made', async (_, spoil, line) => {
    const { agent } = world();
    const { sessionId } = await agent.createSession();
    const lines = (await exported(agent, sessionId)).trim().split('\n');
    const outcome = await agent.importSession(spoil(lines).join('\n'), { format: 'auto' });
    expect(outcome).toMatchObject({ kind: 'unreadable', line });
    expect((await agent.listSessions({ limit: 9, cursor: null, query: null })).items).toHaveLength(1);
  });

  it('hold no secret, in a value or a key', async () => {
    const secret = 'sk-of-"the"-tests\\1';
    const { agent, ask } = world(createInMemoryStore(), [secret]);
    const { sessionId } = await agent.createSession({ metadata: { [secret]: [secret] } });
    await ask(sessionId, `my key is ${secret}!`);
    for (const format of ['jsonl', 'openai'] as const) {
      const text = await exported(agent, sessionId, format);
      expect(text).toContain('my key is [redacted]!');
      expect(text).not.toContain('of-\\"the');
    }
  });
});

describe('files of other programs', () => {
  const lines = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');

  /** Roles, texts, thoughts and calls without the system prompt, after one more turn was run. */
  async function conversation(text: string) {
    const { agent, ask, faults } = world();
    const { id, report } = await imported(agent, text);
    const messages = (await agent.readMessages(id, { agentName: LEAD, after: null, limit: 99 })) ?? [];
    const events = await ask(id, 'Go on');
    expect(typesOf(events).at(-1)).toBe('done');
    expect(faults).toEqual([]);
    expect(messages[0]?.role).toBe('system');
    const shown = messages.slice(1).map((message) => {
      const calls = toolCallsOf(message).map(({ name, toolCallId }) => `${name}#${toolCallId}`);
      return [message.role, reasoningOf(message), textOf(message), ...calls]
        .filter((part) => part !== '')
        .join(' | ');
    });
    return { shown, report };
  }

  it('OpenAI: our own export, and one that is broken', async () => {
    const { agent, ask } = world();
    const { sessionId } = await agent.createSession();
    await ask(sessionId, 'First');
    const whole = await conversation(await exported(agent, sessionId, 'openai'));
    expect(whole.shown).toEqual(['user | First', 'assistant | Answered.']);
    expect(whole.report).toMatchObject({ format: 'openai', repairs: [] });
    const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } };
    const broken = await conversation(
      lines({ role: 'user', content: 'Q' }, { role: 'assistant', content: null, tool_calls: [call] }),
    );
    expect(broken.report.repairs).toMatchObject([{ kind: 'result-added', toolCallId: 'c' }]);
  });

  it('Claude Code: the branch that goes on, calls at the same time, no side chain', async () => {
    const line = (type: string, uuid: string, parentUuid: string | null, message: unknown, more = {}) => ({
      type,
      uuid,
      parentUuid,
      isSidechain: false,
      message,
      ...more,
    });
    const use = (id: string) => [{ type: 'tool_use', id, name: 'Look', input: { at: id } }];
    const result = (id: string, content: unknown) => [{ type: 'tool_result', tool_use_id: id, content }];
    const { shown, report } = await conversation(
      lines(
        { type: 'summary', summary: 'Looking', leafUuid: 'g' },
        line('user', 'a', null, { role: 'user', content: 'Look twice' }),
        line('assistant', 'x', 'a', {
          role: 'assistant',
          id: 'old',
          content: [{ type: 'text', text: 'Left.' }],
        }),
        line('assistant', 'b', 'a', {
          role: 'assistant',
          id: 'n',
          content: [{ type: 'thinking', thinking: 'Hm' }],
        }),
        line('assistant', 'c', 'b', { role: 'assistant', id: 'n', content: use('t1') }),
        line('assistant', 'd', 'c', { role: 'assistant', id: 'n', content: use('t2') }),
        line('user', 'e', 'c', { role: 'user', content: result('t1', 'one') }),
        line('user', 'f', 'd', { role: 'user', content: result('t2', [{ type: 'image', source: {} }]) }),
        line('user', 's', 'f', { role: 'user', content: 'aside' }, { isSidechain: true }),
        line('assistant', 'g', 'f', {
          role: 'assistant',
          id: 'm',
          content: [{ type: 'text', text: 'Both.' }],
        }),
      ),
    );
    expect(report).toMatchObject({ format: 'claude-code', repairs: [] });
    expect(report.skipped.map(({ line }) => line)).toEqual([3, 9]);
    expect(shown).toEqual([
      'user | Look twice',
      'assistant | Hm | Look#t1 | Look#t2',
      'tool | one',
      'tool | [image]',
      'assistant | Both.',
    ]);
  });

  it('Codex: items put together, injected context and what was rolled back left out', async () => {
    const item = (payload: unknown) => ({ timestamp: 't', type: 'response_item', payload });
    const said = (role: string, text: string) =>
      item({ type: 'message', role, content: [{ type: 'input_text', text }] });
    const { shown, report } = await conversation(
      lines(
        { timestamp: 't', type: 'session_meta', payload: { id: 's' } },
        said('developer', 'Rules'),
        said('user', '<environment_context>here</environment_context>'),
        said('user', 'List'),
        item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Plan' }] }),
        item({ type: 'function_call', name: 'shell', arguments: '{"c":1}', call_id: 'k' }),
        item({ type: 'function_call_output', call_id: 'k', output: 'files' }),
        said('assistant', 'Listed.'),
        said('user', 'Wrong way'),
        said('assistant', 'Oh.'),
        { timestamp: 't', type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
      ),
    );
    expect(shown).toEqual([
      'user | List',
      'assistant | Plan | shell#k',
      'tool | files',
      'assistant | Listed.',
    ]);
    expect(report).toMatchObject({ format: 'codex', repairs: [] });
    expect(report.skipped.map(({ line }) => line)).toEqual([2, 3, 11]);
  });

  it('pi: the active branch, with errors of tools', async () => {
    const entry = (id: string, parentId: string | null, message: unknown) => ({
      type: 'message',
      id,
      parentId,
      message,
    });
    const { shown, report } = await conversation(
      lines(
        { type: 'session', version: 3, id: 's', cwd: '/' },
        entry('1', null, { role: 'user', content: [{ type: 'text', text: 'Read it' }] }),
        entry('2', '1', { role: 'assistant', content: [{ type: 'text', text: 'Left branch' }] }),
        entry('3', '1', {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'T' },
            { type: 'toolCall', id: 'q', name: 'read', arguments: { p: 1 } },
          ],
        }),
        entry('4', '3', {
          role: 'toolResult',
          toolCallId: 'q',
          toolName: 'read',
          content: [{ type: 'text', text: 'no' }],
          isError: true,
        }),
        { type: 'compaction', id: '5', parentId: '4', summary: 'S', firstKeptEntryId: '1' },
      ),
    );
    expect(shown).toEqual(['user | Read it', 'assistant | T | read#q', 'tool | no']);
    expect(report.format).toBe('pi');
    expect(report.skipped.map(({ line }) => line)).toEqual([3, 6]);
  });

  it.each([
    ['', 1],
    ['{"a":1}', 1],
    ['[1, 2', 1],
    ['plain words', 1],
    [`${'['.repeat(200_000)}`, 1],
  ])('what is none of them is refused: %#', async (text, line) => {
    const { agent } = world();
    expect(await agent.importSession(text, { format: 'auto' })).toMatchObject({ kind: 'unreadable', line });
    expect((await agent.listSessions({ limit: 9, cursor: null, query: null })).items).toEqual([]);
  });
});
