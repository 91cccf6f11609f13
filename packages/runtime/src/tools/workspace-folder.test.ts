import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFolder } from './open-folder.ts';
import { ToolError } from './tool.ts';
import { openWorkspace } from './workspace-folder.ts';

/** A workspace with a secret next to it, and links that lead in and out. */
async function createTree() {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'workspace-')));
  onTestFinished(() => rm(base, { recursive: true }));
  const root = join(base, 'space');
  const outside = join(base, 'outside');
  await mkdir(join(root, 'data'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), 'SECRET');
  await writeFile(join(root, 'data', 'stars.csv'), 'name,mag\n');
  await symlink(outside, join(root, 'way-out'));
  await symlink(join(outside, 'secret.txt'), join(root, 'secret-link'));
  await symlink(join(outside, 'not-yet.txt'), join(root, 'dangling'));
  await symlink('data', join(root, 'way-in'));
  await symlink('circle', join(root, 'circle'));
  await symlink('..', join(root, 'data', 'up'));
  const files = await openWorkspace(root, randomUUID);
  return { base, root, outside, files };
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

/** Names and contents of everything outside the root. */
async function snapshot(outside: string): Promise<string> {
  const names = (await readdir(outside)).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(outside, name), 'utf8')));
  return JSON.stringify([names, contents]);
}

describe('openWorkspace', () => {
  it('reads, writes and lists what is inside', async () => {
    const { files, root } = await createTree();
    expect(text(await files.read('data/stars.csv', 100))).toBe('name,mag\n');
    expect(await files.write('new/deep/a.txt', '星')).toEqual({ bytes: 3, created: true });
    expect(await files.write('new/deep/a.txt', 'abcd')).toEqual({ bytes: 4, created: false });
    expect(text(await files.read(join(root, 'new/deep/a.txt'), 4))).toBe('abcd');
    expect(await files.list('new', 10)).toEqual({
      entries: [
        { path: 'new/deep', kind: 'folder', bytes: 0 },
        { path: 'new/deep/a.txt', kind: 'file', bytes: 4 },
      ],
      more: false,
    });
  });

  it('makes its root where that is missing', async () => {
    const { base } = await createTree();
    const files = await openWorkspace(join(base, 'made', 'now'), randomUUID);
    expect(await files.list('', 10)).toEqual({ entries: [], more: false });
  });

  it('lists links as what they are and goes around them', async () => {
    const { files } = await createTree();
    const { entries } = await files.list('.', 100);
    expect(entries.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'other circle',
      'other dangling',
      'folder data',
      'file data/stars.csv',
      'other data/up',
      'other secret-link',
      'other way-in',
      'other way-out',
    ]);
    expect((await files.list('data/stars.csv', 10)).entries).toEqual([
      { path: 'data/stars.csv', kind: 'file', bytes: 9 },
    ]);
  });

  it('lists no more than asked for, and says so', async () => {
    const { files } = await createTree();
    const { entries, more } = await files.list('', 3);
    expect([entries.length, more]).toEqual([3, true]);
    expect((await files.list('', 8)).more).toBe(false);
  });

  it('follows a link that stays inside, for reading and for writing', async () => {
    const { files, root } = await createTree();
    expect(text(await files.read('way-in/stars.csv', 100))).toBe('name,mag\n');
    expect(text(await files.read('data/up/data/stars.csv', 100))).toBe('name,mag\n');
    await files.write('way-in/b.txt', 'b');
    expect(await readFile(join(root, 'data', 'b.txt'), 'utf8')).toBe('b');
  });

  it.each([
    '../outside/secret.txt',
    'way-out/secret.txt',
    'secret-link',
    'way-in/../way-out/secret.txt',
    'data/up/../outside/secret.txt',
    'data/up/way-out/secret.txt',
    'dangling',
    '/etc/hostname',
    'circle',
    'circle/x',
  ])('neither reads nor writes nor lists %s', async (path) => {
    const { files, outside } = await createTree();
    const before = await snapshot(outside);
    await expect(files.read(path, 1000)).rejects.toThrow(ToolError);
    if (path !== 'data/up/../outside/secret.txt') {
      await expect(files.write(path, 'escaped')).rejects.toThrow(ToolError);
    }
    await expect(files.list(path, 10)).rejects.toThrow(ToolError);
    expect(await snapshot(outside)).toBe(before);
  });

  it('accepts an absolute path outside only in a refusal that names it', async () => {
    const { files, outside } = await createTree();
    await expect(files.read(join(outside, 'secret.txt'), 100)).rejects.toThrow('outside the workspace');
  });

  it('says what a path is when it is not what was meant', async () => {
    const { files } = await createTree();
    await expect(files.read('nothing.txt', 10)).rejects.toThrow('"nothing.txt" does not exist');
    await expect(files.read('data', 10)).rejects.toThrow('is a folder');
    await expect(files.write('data', '')).rejects.toThrow('is a folder');
    await expect(files.write('', '')).rejects.toThrow('is a folder');
    await expect(files.write('data/stars.csv/x', '')).rejects.toThrow('is a file, not a folder');
    await expect(files.list('nothing', 10)).rejects.toThrow('does not exist');
    await expect(files.read('x'.repeat(300), 10)).rejects.toThrow('too long');
    await expect(files.read('data/stars.csv', 8)).rejects.toThrow('has 9 bytes, more than the 8');
  });

  it('touches neither sockets nor files that are also elsewhere', async () => {
    const { files, root, outside } = await createTree();
    const server = createServer().listen(join(root, 'socket'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    await expect(files.read('socket', 10)).rejects.toThrow('not a regular file');
    await expect(files.write('socket', 'x')).rejects.toThrow('not a regular file');
    await link(join(outside, 'secret.txt'), join(root, 'hard'));
    await expect(files.write('hard', 'x')).rejects.toThrow('hard link');
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('SECRET');
  });

  it('keeps the permission bits of a file that it replaces and leaves no temporary file', async () => {
    const { files, root } = await createTree();
    const path = join(root, 'data', 'run.sh');
    await writeFile(path, 'old');
    await chmod(path, 0o750);
    await files.write('data/run.sh', 'new');
    expect((await stat(path)).mode & 0o777).toBe(0o750);
    expect((await readdir(join(root, 'data'))).sort()).toEqual(['run.sh', 'stars.csv', 'up']);
  });

  it('changes nothing where a write fails', async () => {
    const { root } = await createTree();
    const files = await openWorkspace(root, () => 'taken');
    await writeFile(join(root, 'data', '.taken.tmp'), '');
    await expect(files.write('data/stars.csv', 'new')).rejects.toThrow(ToolError);
    expect(await readFile(join(root, 'data', 'stars.csv'), 'utf8')).toBe('name,mag\n');
  });

  it('never reads or changes anything outside, whatever the path', async () => {
    const { files, root, outside, base } = await createTree();
    const before = await snapshot(outside);
    const piece = fc.constantFrom(
      ...[
        '..',
        '.',
        '',
        'data',
        'up',
        'way-out',
        'way-in',
        'secret-link',
        'dangling',
        'circle',
        'secret.txt',
        'outside',
        'space',
        'x',
      ],
    );
    const separator = fc.constantFrom('/', '\\', '//');
    const path = fc
      .tuple(
        fc.constantFrom('', '/', `${base}/`, `${base}/space/`),
        fc.array(piece, { maxLength: 7 }),
        separator,
      )
      .map(([start, pieces, between]) => start + pieces.join(between));
    await fc.assert(
      fc.asyncProperty(path, async (wanted) => {
        const read = await files.read(wanted, 1000).then(text, errorText);
        expect(read).not.toContain('SECRET');
        await files.write(wanted, 'written').catch(errorText);
        const listed = await files.list(wanted, 50).catch(errorText);
        for (const entry of typeof listed === 'string' ? [] : listed.entries) {
          const parent = dirname(join(root, entry.path));
          expect(await realpath(parent)).toBe(parent);
        }
        expect(await snapshot(outside)).toBe(before);
      }),
      { numRuns: 300 },
    );
    expect((await readdir(base)).sort()).toEqual(['outside', 'space']);
  });

  it('does not escape through a folder that is swapped for a link again and again', async () => {
    const { files, root, outside } = await createTree();
    const before = await snapshot(outside);
    await mkdir(join(root, 'swap'));
    await writeFile(join(root, 'swap', 'secret.txt'), 'harmless');
    let over = false;
    const ignore = () => {};
    const swapping = (async () => {
      const [swap, kept] = [join(root, 'swap'), join(root, 'kept')];
      while (!over) {
        await rename(swap, kept).catch(ignore);
        await symlink(outside, swap).catch(ignore);
        await rm(swap, { recursive: true, force: true }).catch(ignore);
        await rename(kept, swap).catch(ignore);
      }
    })();
    for (let round = 0; round < 400; round++) {
      const read = files.read('swap/secret.txt', 100).then(text, errorText);
      const written = files.write('swap/new.txt', 'x').catch(errorText);
      expect(await read).not.toContain('SECRET');
      await written;
    }
    over = true;
    await swapping;
    expect(await snapshot(outside)).toBe(before);
  });
});

/** Refusals are expected in words; anything else is a fault. */
function errorText(error: unknown): string {
  expect(error).toBeInstanceOf(ToolError);
  return String(error);
}

describe('openFolder', () => {
  it.each([
    ['with descriptors', '/proc/self/fd'],
    ['without descriptors', null],
  ])('opens and makes folders, and never goes through a link, %s', async (_, descriptors) => {
    const { root } = await createTree();
    const options = { root, create: true, descriptors };
    const made = await openFolder(['data', 'a', 'b'], options);
    await writeFile(join(made.path, 'x'), 'x');
    await made.check();
    await made.close();
    expect(await readFile(join(root, 'data/a/b/x'), 'utf8')).toBe('x');
    for (const parts of [['way-in'], ['way-out'], ['data', 'up', 'data'], ['data', 'stars.csv']]) {
      await expect(openFolder(parts, options)).rejects.toThrow();
    }
    await expect(openFolder(['absent'], { ...options, create: false })).rejects.toThrow('ENOENT');
  });

  it('notices without descriptors that the folder was led elsewhere', async () => {
    const { root, outside } = await createTree();
    await mkdir(join(root, 'a'));
    const folder = await openFolder(['a'], { root, create: false, descriptors: null });
    await rm(join(root, 'a'), { recursive: true });
    await symlink(outside, join(root, 'a'));
    await expect(folder.check()).rejects.toThrow(ToolError);
  });
});
