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
import type { Store } from '../store/store.ts';
import { createTestAgent, dataOf } from '../testing/test-agent.ts';
import { openWorkspace } from '../tools/workspace-folder.ts';

const words = (name: string, count: number) =>
  Array.from({ length: count }, (_, nth) => `${name} line ${nth} of the table`).join('\n');
const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const read = (...paths: string[]) => ({ toolCalls: paths.map((path) => call('read_file', { path })) });

async function world(script: Script, settings: Partial<Settings> = {}, maxOutputChars = 100_000) {
  const folder = await mkdtemp(join(tmpdir(), 'files-in-view-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return open(folder, createInMemoryStore(), script, settings, maxOutputChars);
}

/** A process over a store and a folder; in a session of its own where none is named. */
async function open(
  folder: string,
  store: Store,
  script: Script,
  settings: Partial<Settings> = {},
  maxOutputChars = 100_000,
  sessionId: string | null = null,
) {
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
  const id = sessionId ?? (await agent.agent.createSession()).sessionId;
  const ask = (question: string, session = id) => agent.ask(session, question);
  const openSession = async () => (await agent.agent.createSession()).sessionId;
  const put = (name: string, content: string) => writeFile(join(folder, name), content);
  const results = async (session = id) => {
    const messages =
      (await agent.agent.readMessages(session, { agentName: LEAD, after: null, limit: 500 })) ?? [];
    return messages.filter(({ role }) => role === 'tool').map(textOf);
  };
  const state = async () => (await readLog(store, id)).reduce(evolve, NEW_SESSION);
  const view = async () => agentOf(await state(), LEAD).view.toArray();
  const compact = () => agent.agent.compact(id);
  const drop = (name: string) => rm(join(folder, name));
  return { ask, openSession, put, drop, results, state, view, compact, id, folder, store };
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

  it('is answered in full after the agent itself has written the file, whoever read it before', async () => {
    const w = await world([
      read('n.txt'),
      { toolCalls: [call('write_file', { path: 'n.txt', content: 'mine' })] },
      read('n.txt'),
      read('./n.txt'),
      { text: 'Done.' },
    ]);
    await w.put('n.txt', 'theirs');
    await w.ask('Read, write, read, read');
    const [before, , after, again] = await w.results();
    expect([before, after]).toEqual(['theirs', 'mine']);
    expect(again).toMatch(/^\[File unchanged\] n\.txt/);
  });

  it('is answered with the stub by another process too: the log is all it needs', async () => {
    const w = await world([read('a.txt'), { text: 'Seen.' }]);
    await w.put('a.txt', words('first', 40));
    await w.ask('读一下 a.txt');
    const later = await open(w.folder, w.store, [read('a.txt'), { text: '没变。' }], {}, 100_000, w.id);
    const events = await later.ask('再读一次');
    expect((await later.results())[1]).toMatch(/^\[文件未变\] a\.txt .*m4/);
    expect(dataOf(events, 'tool_result')[0]).toMatchObject({ unchanged: true });
  });

  it('is answered in full in another session, which has not seen it', async () => {
    const script = [read('a.txt'), { text: 'Seen.' }];
    const w = await world([...script, ...script]);
    await w.put('a.txt', words('first', 40));
    await w.ask('Read it');
    const other = await w.openSession();
    await w.ask('Read it', other);
    expect((await w.results(other))[0]).toContain('first line 39');
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

  /** No compaction comes by itself, and one that is asked for has something to do. */
  const roomy = (softTokens: number) => ({ budget: { softTokens, hardTokens: 900_000 } });

  const restoredText = async (w: Awaited<ReturnType<typeof world>>) =>
    (await w.view()).flatMap((message) =>
      message.role === 'user' && message.kind === 'restored_file' ? [textOf(message)] : [],
    );

  it('of a longer file brings the beginning back; the next read shows it all, the one after that is a stub', async () => {
    const w = await world(
      [
        read(...paths.slice(0, 4), 'big.txt'),
        { text: 'Seen.' },
        read('big.txt'),
        read('./big.txt'),
        { text: 'Again.' },
      ],
      roomy(20_000),
    );
    for (const path of paths) await w.put(path, words(path, 300));
    await w.put('big.txt', `${'one row of the catalogue\n'.repeat(500)}THE LAST ROW`);
    await w.ask('Read');
    const compacted = await w.compact();
    expect(compacted).toMatchObject({ event: { outcome: 'compacted', success: true } });
    const [block] = await restoredText(w);
    expect(block).toContain('[Restored after compaction: big.txt]');
    expect(block).not.toContain('THE LAST ROW');
    await w.ask('Once more');
    const [second, third] = (await w.results()).slice(-2);
    expect(second).toContain('THE LAST ROW');
    expect(third).toMatch(/^\[File unchanged\] big\.txt/);
  });

  it('reads again from disk: what changed is marked, what is gone or no text stays away', async () => {
    const w = await world([read(...paths.slice(0, 6)), { text: '读完了。' }], roomy(9_000));
    for (const path of paths) await w.put(path, words(path, 120));
    await w.ask('读这些文件');
    await w.put('f5.txt', '全新的内容');
    await w.put('f4.txt', 'binary \0 now');
    await w.drop('f3.txt');
    await w.compact();
    const [block = ''] = await restoredText(w);
    expect(block).toContain('[压缩后恢复: f5.txt]（上次读取之后文件已变化）\n全新的内容');
    expect(block).not.toMatch(/f4\.txt|f3\.txt/);
    expect(block).toContain('[压缩后恢复: f2.txt]\n');
  });

  it('brings back what an open task names before what was read later', async () => {
    const todo = { todos: [{ id: '1', content: 'Compare f0.txt with the catalogue', status: 'pending' }] };
    const script = [{ toolCalls: [call('todo_write', todo)] }, read(...paths), { text: 'All read.' }];
    const w = await world(script, roomy(12_000));
    for (const path of paths) await w.put(path, words(path, 120));
    await w.ask('Read');
    await w.compact();
    const [block = ''] = await restoredText(w);
    expect([...block.matchAll(/compaction: ([^\]]+)\]/g)].map(([, path]) => path)[0]).toBe('f0.txt');
  });

  it('loses nothing where it cannot be stored: neither files nor view change, and the next one works', async () => {
    const inner = createInMemoryStore();
    let fails = true;
    const store: Store = {
      ...inner,
      append: (id, expected, epoch, events) =>
        fails && events.some(({ type }) => type === 'compaction')
          ? Promise.reject(new Error('the disk is full'))
          : inner.append(id, expected, epoch, events),
    };
    const { folder } = await world([]);
    const script = [read(...paths.slice(0, 6)), { text: 'Seen.' }];
    const w = await open(folder, store, script, roomy(9_000));
    for (const path of paths) await w.put(path, words(path, 120));
    await w.ask('Read');
    const before = JSON.stringify(agentOf(await w.state(), LEAD));
    await expect(w.compact()).rejects.toThrow('the disk is full');
    expect(JSON.stringify(agentOf(await w.state(), LEAD))).toBe(before);
    fails = false;
    await w.compact();
    expect(await restoredText(w)).toHaveLength(1);
  });

  it('is one append, the block right behind it, and its size is in what the event says', async () => {
    const w = await world([read(...paths.slice(0, 6)), { text: 'Seen.' }], roomy(9_000));
    for (const path of paths) await w.put(path, words(path, 120));
    await w.ask('Read');
    const appended: string[][] = [];
    const store: Store = {
      ...w.store,
      append: (id, expected, epoch, events) => {
        appended.push(events.map(({ type }) => type));
        return w.store.append(id, expected, epoch, events);
      },
    };
    const later = await open(w.folder, store, [], roomy(9_000), 100_000, w.id);
    const compacted = await later.compact();
    expect(appended.filter((types) => types.includes('compaction'))).toEqual([
      ['compaction', 'message', 'message'],
    ]);
    if (compacted?.kind !== 'compaction') throw new Error('nothing was compacted');
    const { tokensBefore, tokensAfter, messagesAfter, restored, restoredBy } = compacted.event;
    const view = await w.view();
    expect(view).toHaveLength(messagesAfter);
    const block = view.at(-1);
    expect(block?.id).toBe(restoredBy);
    expect(restored?.length).toBeGreaterThan(0);
    const freed = tokensBefore - (tokensAfter - (block?.tokens ?? 0));
    expect(block?.tokens).toBeLessThanOrEqual(freed / 4);
  });
});
