import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAtomically, removeStrayTemporaries, writeAtomically } from './write-atomically.ts';

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atomic-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe('writeAtomically', () => {
  it('replaces the content whole, with the mode asked for, and leaves nothing else', async () => {
    const folder = await createFolder();
    await writeAtomically({ folder, name: 'a', content: 'one', mode: 0o600 }, randomUUID);
    await writeAtomically({ folder, name: 'a', content: new Uint8Array([50]), mode: 0o600 }, randomUUID);
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('2');
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('never shows a half-written file to a reader', async () => {
    const folder = await createFolder();
    const contents = ['a', 'b', 'c'].map((letter) => letter.repeat(300_000));
    await writeAtomically({ folder, name: 'f', content: contents[0] ?? '', mode: 0o600 }, randomUUID);
    const writes = Promise.all(
      [...contents, ...contents].map((content) =>
        writeAtomically({ folder, name: 'f', content, mode: 0o600 }, randomUUID),
      ),
    );
    let writing = true;
    void writes.then(() => {
      writing = false;
    });
    do expect(contents).toContain(await readFile(join(folder, 'f'), 'utf8'));
    while (writing);
    await writes;
  });

  it('leaves the old file and no temporary one where the rename fails', async () => {
    const folder = await createFolder();
    await mkdir(join(folder, 'taken'));
    await expect(
      writeAtomically({ folder, name: 'taken', content: 'x', mode: 0o600 }, randomUUID),
    ).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['taken']);
  });
});

describe('createAtomically', () => {
  it('lets exactly one of many at the same time make the file', async () => {
    const folder = await createFolder();
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        createAtomically({ folder, name: 'f', content: `by ${index}`, mode: 0o600 }, randomUUID),
      ),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await readFile(join(folder, 'f'), 'utf8')).toBe(`by ${made.indexOf(true)}`);
    expect(await readdir(folder)).toEqual(['f']);
  });
});

describe('removeStrayTemporaries', () => {
  it('removes what dead writers left, and nothing that may still be written', async () => {
    const folder = await createFolder();
    for (const name of ['.old.tmp', '.new.tmp', 'old.tmp', '.old.md'])
      await writeFile(join(folder, name), '');
    for (const name of ['.old.tmp', 'old.tmp', '.old.md']) await utimes(join(folder, name), 1000, 1000);
    const { mtimeMs } = await stat(join(folder, '.new.tmp'));
    await removeStrayTemporaries(folder, mtimeMs + 60_000);
    expect((await readdir(folder)).sort()).toEqual(['.new.tmp', '.old.md', 'old.tmp']);
  });
});
