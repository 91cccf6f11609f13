/** Files through whole turns (context.md 6): honest stubs, and files that come back after a compaction. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  agentOf,
  DEFAULT_SETTINGS,
  evolve,
  LEAD,
  NEW_SESSION,
  type Settings,
  textOf,
} from '@astroresearch/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtInTools } from '../builtin/built-in-tools.ts';
import type { Script } from '../llm/scripted-model.ts';
import { readLog } from '../log/read-log.ts';
import { createManualClock } from '../manual-clock.ts';
import { createMemoryFiles } from '../memories/memory-files.ts';
import { createInMemoryStore } from '../store/in-memory.ts';
import { createTestAgent, dataOf } from '../testing/test-agent.ts';
import { openWorkspace } from '../tools/workspace-folder.ts';

const words = (name: string, count: number) =>
  Array.from({ length: count }, (_, nth) => `${name} line ${nth} of the table`).join('\n');
const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const read = (...paths: string[]) => ({ toolCalls: paths.map((path) => call('read_file', { path })) });

async function world(script: Script, settings: Partial<Settings> = {}, maxOutputChars = 100_000) {
  const folder = await mkdtemp(join(tmpdir(), 'files-in-view-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = createInMemoryStore();
  const files = await openWorkspace(folder, randomUUID);
  const memories = createMemoryFiles({
    folder: join(folder, 'memory'),
    clock: createManualClock(),
    ids: randomUUID,
  });
  const agent = createTestAgent({
    script,
    settings,
    tools: builtInTools({ memories }),
    parts: { store, files, toolLimits: { timeoutMs: 1_000, maxOutputChars }, permissionMode: 'auto' },
  });
  const { sessionId: id } = await agent.agent.createSession();
  const ask = (question: string) => agent.ask(id, question);
  const put = (name: string, content: string) => writeFile(join(folder, name), content);
  const results = async () => {
    const messages = (await agent.agent.readMessages(id, { agentName: LEAD, after: null, limit: 500 })) ?? [];
    return messages.filter(({ role }) => role === 'tool').map(textOf);
  };
  const state = async () => (await readLog(store, id)).reduce(evolve, NEW_SESSION);
  return { ask, put, results, state, agent: agent.agent, id };
}

describe('a second read of a file', () => {
  it('is answered with the stub while the whole of it is in view, and with the content once it changed', async () => {
    const w = await world([
      read('a.txt'),
      read('./a.txt'),
      { text: 'Seen.' },
      read('a.txt'),
      { text: 'New.' },
    ]);
    await w.put('a.txt', words('first', 40));
    const events = await w.ask('Read it twice');
    const [one, two] = await w.results();
    expect(one).toContain('first line 39');
    expect(two).toMatch(/^\[File unchanged\] a\.txt .*m4/);
    expect(dataOf(events, 'tool_result').map((data) => data.unchanged)).toEqual([undefined, true]);
    await w.put('a.txt', words('second', 40));
    await w.ask('And now?');
    expect((await w.results())[2]).toContain('second line 39');
  });

  it('shows the content again where the first result was cut, or showed some lines only', async () => {
    const w = await world(
      [
        read('long.txt'),
        read('long.txt'),
        { toolCalls: [call('read_file', { path: 'b.txt', offset: 2, limit: 1 })] },
        read('b.txt'),
        { text: 'Seen.' },
      ],
      {},
      400,
    );
    await w.put('long.txt', words('long', 400));
    await w.put('b.txt', 'one\ntwo\nthree');
    await w.ask('Read');
    const [first, second, , whole] = await w.results();
    expect(second?.slice(0, 60)).toBe(first?.slice(0, 60));
    expect(whole).toBe('one\ntwo\nthree');
  });

  it('is no stub for what the agent itself wrote: only a result shows a file', async () => {
    const w = await world([
      { toolCalls: [call('write_file', { path: 'n.txt', content: 'mine' })] },
      read('n.txt'),
      { text: 'Done.' },
    ]);
    await w.ask('Write and read');
    expect((await w.results())[1]).toBe('mine');
  });
});

describe('a compaction', () => {
  const tight = {
    budget: { softTokens: 6_000, hardTokens: 900_000 },
    compaction: { ...DEFAULT_SETTINGS.compaction, maxMessages: 500 },
  };
  const paths = Array.from({ length: 8 }, (_, nth) => `f${nth}.txt`);

  async function longEvening() {
    const w = await world(
      [
        { toolCalls: [call('write_file', { path: 'notes.txt', content: words('noted', 30) })] },
        ...paths.map((path) => read(path)),
        { text: 'All read.' },
        read('f7.txt', 'f0.txt'),
        { text: 'Again.' },
      ],
      tight,
    );
    for (const path of paths) await w.put(path, words(path, 120));
    const events = await w.ask('Read all eight files');
    return { ...w, events };
  }

  it('brings back in one message what it hid, the edited file first, and says so in the log', async () => {
    const { state, events } = await longEvening();
    const compactions = dataOf(events, 'compaction');
    expect(compactions.length).toBeGreaterThan(0);
    const view = agentOf(await state(), LEAD).view.toArray();
    const restored = view.flatMap((message) =>
      message.role === 'user' && message.kind === 'restored_file' ? [message] : [],
    );
    expect(restored.length).toBeGreaterThan(0);
    const text = textOf(restored[0] as (typeof restored)[number]);
    expect(text.match(/\[Restored after compaction: ([^\]]+)\]/)?.[1]).toBe('notes.txt');
    for (const { tokens_before, tokens_after, success } of compactions as Record<
      string,
      number | boolean
    >[]) {
      expect(success).toBe(true);
      expect(Number(tokens_after)).toBeLessThan(Number(tokens_before));
    }
  });

  it('never leaves a stub that points to a masked or replaced result', async () => {
    const w = await longEvening();
    const before = await w.state();
    const shown = (path: string) =>
      agentOf(before, LEAD)
        .view.toArray()
        .some((message) => textOf(message).includes(`${path} line 119 of`));
    expect(shown('f0.txt')).toBe(false);
    await w.ask('Look again');
    const [newest, oldest] = (await w.results()).slice(-2);
    expect(newest).toMatch(shown('f7.txt') ? /^\[File unchanged\]/ : /f7\.txt line 119/);
    expect(oldest).toContain('f0.txt line 119');
  });
});
