import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluatePermission, type Language, type Task } from '@astroresearch/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '../manual-clock.ts';
import { createMemoryFiles } from '../memories/memory-files.ts';
import { exampleArguments } from '../tools/example-arguments.ts';
import { type CallEvent, runCalls } from '../tools/executor.ts';
import { parseArguments } from '../tools/parse-arguments.ts';
import { createRegistry } from '../tools/registry.ts';
import { openWorkspace } from '../tools/workspace-folder.ts';
import { builtInTools } from './built-in-tools.ts';

type Outcome = Extract<CallEvent, { kind: 'outcome' }>;
type World = { readonly language?: Language; readonly tasks?: readonly Task[] };

/** All built-in tools over a real folder, called as the model calls them. */
async function createWorld({ language = 'en', tasks = [] }: World = {}) {
  const base = await mkdtemp(join(tmpdir(), 'built-in-'));
  onTestFinished(() => rm(base, { recursive: true }));
  const root = join(base, 'workspace');
  const clock = createManualClock();
  const memories = createMemoryFiles({ folder: join(base, 'memory'), clock, ids: randomUUID });
  const tools = builtInTools({ memories });
  const files = await openWorkspace(root, randomUUID);
  const call = async (name: string, args: unknown): Promise<Outcome> => {
    const calls = runCalls([{ type: 'tool-call', toolCallId: 'c', name, arguments: JSON.stringify(args) }], {
      registry: createRegistry(tools),
      decide: (tool) => evaluatePermission('auto', tool),
      limits: { timeoutMs: 1000, maxOutputChars: 4000 },
      clock,
      files,
      sessionId: 's',
      agentName: 'lead',
      turnIndex: 1,
      step: 1,
      language,
      shownWhole: () => null,
      tasks,
      recall: () => Promise.reject(new Error('nothing is stored here')),
      refusals: new Map(),
      started: new Set(),
      signal: new AbortController().signal,
    });
    const outcomes: Outcome[] = [];
    for await (const events of calls) outcomes.push(...events.filter((event) => event.kind === 'outcome'));
    return outcomes[0] ?? expect.fail('no outcome');
  };
  const put = async (path: string, content: string | Uint8Array) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), content);
  };
  return { root, tools, memories, call, put };
}

describe('builtInTools', () => {
  it('are named, ordered and permitted as the runtime says', async () => {
    const { tools } = await createWorld();
    const asked = (mode: 'default' | 'plan') => tools.map((tool) => evaluatePermission(mode, tool).kind);
    expect(tools.map(({ name }) => name)).toEqual([
      'read_file',
      'write_file',
      'list_files',
      'todo_write',
      'recall_context',
      'compress_context',
      'save_memory',
    ]);
    expect(asked('default')).toEqual(['allow', 'ask', 'allow', 'allow', 'allow', 'allow', 'allow']);
    expect(asked('plan')).toEqual(['allow', 'deny', 'allow', 'deny', 'allow', 'deny', 'deny']);
  });

  it('say everything in both languages, property by property', async () => {
    const { tools } = await createWorld();
    const registry = createRegistry(tools);
    const descriptions = (language: Language) =>
      [...JSON.stringify(registry.schemas(language)).matchAll(/"description":"(.*?)"/g)].map(
        ([, text]) => text ?? '',
      );
    expect(descriptions('zh')).toHaveLength(descriptions('en').length);
    for (const text of descriptions('zh')) expect(text).toMatch(/\p{Script=Han}/u);
    for (const text of descriptions('en')) expect(text).not.toMatch(/\p{Script=Han}/u);
    expect(JSON.stringify(registry.schemas('zh'))).not.toMatch(/"(zh|example)":/);
    for (const { summary } of tools) {
      expect(summary.zh).toMatch(/\p{Script=Han}/u);
      expect(summary.en).not.toMatch(/\p{Script=Han}|\n/u);
    }
  });

  it('accept the arguments that their own error messages show', async () => {
    const { tools } = await createWorld();
    for (const tool of tools) {
      expect(parseArguments(tool, exampleArguments(tool), 'en').kind).toBe('valid');
    }
  });
});

describe('read_file', () => {
  it('gives the content as it is', async () => {
    const { call, put } = await createWorld();
    await put('a.txt', 'one\ntwo\n');
    expect(await call('read_file', { path: 'a.txt' })).toMatchObject({ status: 'ok', output: 'one\ntwo\n' });
  });

  it('gives some lines of it and says how many there are', async () => {
    const { call, put } = await createWorld();
    await put('a.txt', 'one\ntwo\nthree\nfour\n');
    const output = async (args: object) => (await call('read_file', { path: 'a.txt', ...args })).output;
    expect(await output({ offset: 2, limit: 2 })).toBe('two\nthree\n[lines 2–3 of 4]');
    expect(await output({ offset: 4 })).toBe('four\n[lines 4–4 of 4]');
    expect(await output({ limit: 1 })).toBe('one\n[lines 1–1 of 4]');
    expect(await output({ offset: 1, limit: 9 })).toBe('one\ntwo\nthree\nfour\n');
    expect(await output({ offset: 5 })).toBe('offset 5 is past the end: the file has 4 lines.');
  });

  it('says so for an empty, a binary and a missing file, in the language of the session', async () => {
    const { call, put } = await createWorld({ language: 'zh' });
    await put('empty', '');
    await put('binary', new Uint8Array([0, 1, 2]));
    expect((await call('read_file', { path: 'empty' })).output).toBe('（空文件）');
    expect((await call('read_file', { path: 'binary' })).output).toContain(
      '二进制内容，不显示：未知类型，3 字节',
    );
    expect(await call('read_file', { path: 'none' })).toMatchObject({
      status: 'error',
      output: '"none" 不存在。list_files 会列出已有的文件。',
    });
  });
});

describe('write_file', () => {
  it('makes and replaces files', async () => {
    const { call, root } = await createWorld();
    expect((await call('write_file', { path: 'a/b.txt', content: '星' })).output).toBe(
      'Created a/b.txt (3 bytes).',
    );
    expect((await call('write_file', { path: 'a/b.txt', content: '' })).output).toBe(
      'Replaced a/b.txt (0 bytes).',
    );
    expect(await readFile(join(root, 'a/b.txt'), 'utf8')).toBe('');
  });

  it('leaves a file untouched that holds the content already', async () => {
    const { call, root } = await createWorld();
    await call('write_file', { path: 'a.txt', content: 'same' });
    const before = await stat(join(root, 'a.txt'));
    const again = await call('write_file', { path: 'a.txt', content: 'same' });
    expect(again).toMatchObject({ status: 'ok', output: expect.stringContaining('nothing was changed') });
    expect((await stat(join(root, 'a.txt'))).ino).toBe(before.ino);
  });

  it('stays inside the workspace', async () => {
    const { call, root } = await createWorld();
    expect((await call('write_file', { path: '../x.txt', content: 'x' })).status).toBe('error');
    await expect(stat(join(root, '../x.txt'))).rejects.toThrow('ENOENT');
  });
});

describe('list_files', () => {
  it('lists everything, or what matches', async () => {
    const { call, put } = await createWorld();
    await put('data/m31.fits', 'x');
    await put('data/old/m33.fits', 'xy');
    await put('notes.md', '');
    const output = async (args: object) => (await call('list_files', args)).output.split('\n');
    expect(await output({})).toEqual([
      'data/',
      'data/m31.fits (1 bytes)',
      'data/old/',
      'data/old/m33.fits (2 bytes)',
      'notes.md (0 bytes)',
    ]);
    expect(await output({ pattern: '*.fits' })).toEqual([
      'data/m31.fits (1 bytes)',
      'data/old/m33.fits (2 bytes)',
    ]);
    expect(await output({ path: 'data/old' })).toEqual(['data/old/m33.fits (2 bytes)']);
    expect(await output({ pattern: 'data/*.fits' })).toEqual(['data/m31.fits (1 bytes)']);
    expect(await output({ pattern: '*.png' })).toEqual(['(no file matches)']);
    expect((await call('list_files', { pattern: '{a,b}'.repeat(9) })).status).toBe('error');
  });

  it('lists the first 500 and says how many there are', async () => {
    const { call, put } = await createWorld();
    for (let index = 0; index < 503; index++) await put(`f-${index}`, '');
    const lines = (await call('list_files', {})).output.split('\n');
    expect(lines).toHaveLength(501);
    expect(lines.at(-1)).toBe('[503 in all, the first 500 listed; narrow it down with path or pattern]');
  });

  it('says that a folder is empty, and shows a name with a line break as one line', async () => {
    const { call, put, root } = await createWorld({ language: 'zh' });
    await mkdir(join(root, 'nothing'));
    expect((await call('list_files', { path: 'nothing' })).output).toBe('（空文件夹）');
    await put('nothing/a\nb', 'x');
    expect((await call('list_files', { path: 'nothing' })).output).toBe('"nothing/a\\nb" (1 字节)');
  });
});

describe('todo_write', () => {
  const todo = (id: string, more: object = {}) => ({ id, content: `do ${id}`, status: 'pending', ...more });

  it('hands the plan over as a fact', async () => {
    const { call } = await createWorld();
    const todos = [todo('1', { status: 'completed' }), todo('2', { blocked_by: ['1'] })];
    expect(await call('todo_write', { todos })).toMatchObject({
      status: 'ok',
      output: 'Plan saved: 2 tasks, 1 of them open.',
      facts: [
        {
          type: 'tasks',
          tasks: [
            { id: '1', content: 'do 1', status: 'completed', blockedBy: [] },
            { id: '2', content: 'do 2', status: 'pending', blockedBy: ['1'] },
          ],
        },
      ],
    });
  });

  it('says that nothing changed instead of storing the same plan again', async () => {
    const tasks: readonly Task[] = [{ blockedBy: [], status: 'pending', content: 'do 1', id: '1' }];
    const { call } = await createWorld({ tasks });
    expect(await call('todo_write', { todos: [todo('1')] })).toMatchObject({
      status: 'ok',
      output: expect.stringContaining('nothing was changed'),
      facts: [],
    });
    expect((await call('todo_write', { todos: [] })).facts).toEqual([{ type: 'tasks', tasks: [] }]);
  });

  it.each([
    ['an id twice', [todo('1'), todo('1')], 'is there twice'],
    ['an unknown blocker', [todo('1', { blocked_by: ['9'] })], 'names "9"'],
    ['a task that blocks itself', [todo('1', { blocked_by: ['1'] })], 'names "1"'],
    ['an unknown state', [todo('1', { status: 'maybe' })], 'todos[0].status'],
  ])('refuses %s', async (_, todos, reason) => {
    const { call } = await createWorld();
    expect(await call('todo_write', { todos })).toMatchObject({
      status: 'error',
      output: expect.stringContaining(reason),
      facts: [],
    });
  });
});

describe('save_memory', () => {
  const fact = {
    type: 'project',
    name: 'plate-scale',
    content: 'The plate scale is 0.263 arcsec per pixel.',
  };

  it('saves, updates and refuses', async () => {
    const { call, memories } = await createWorld();
    expect(await call('save_memory', fact)).toMatchObject({
      status: 'ok',
      output: 'Saved the memory plate-scale.',
    });
    const changed = { ...fact, content: 'The plate scale is 0.27 arcsec per pixel.' };
    expect(await call('save_memory', changed)).toMatchObject({
      status: 'error',
      output: expect.stringMatching(/^Not saved: there is a memory named plate-scale/),
    });
    expect(await call('save_memory', { ...changed, update: true })).toMatchObject({
      status: 'ok',
      output: 'Updated the memory plate-scale.',
    });
    expect((await memories.recent(5)).memories.map(({ content }) => content)).toEqual([changed.content]);
  });

  it('gives the reason of a refusal in Chinese in a Chinese session', async () => {
    const { call } = await createWorld({ language: 'zh' });
    expect((await call('save_memory', { ...fact, content: '太短' })).output).toMatch(
      /^没有保存：内容有 2 个字符/,
    );
  });
});
