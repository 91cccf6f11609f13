import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutputStore } from './output-files.ts';
import { describeOutputStore } from './output-store.contract.ts';

async function createStore() {
  const base = await mkdtemp(join(tmpdir(), 'outputs-'));
  onTestFinished(() => rm(base, { recursive: true }));
  const folder = join(base, 'outputs');
  return { folder, store: createOutputStore({ folder, ids: randomUUID }) };
}

describeOutputStore('a folder', async () => (await createStore()).store);

describe('createOutputStore', () => {
  it('keeps outputs for this user alone, and across a restart', async () => {
    const { folder, store } = await createStore();
    const { sha256 } = await store.save('kept');
    expect(await readdir(folder)).toEqual([`${sha256}.txt`]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, `${sha256}.txt`))).mode & 0o777).toBe(0o600);
    const reopened = createOutputStore({ folder, ids: randomUUID });
    expect(await reopened.read(sha256, 0, 10)).toMatchObject({ text: 'kept' });
  });

  it('reports a damaged file instead of giving a wrong text, and heals it at the next save', async () => {
    const { folder, store } = await createStore();
    const { sha256 } = await store.save('kept');
    await writeFile(join(folder, `${sha256}.txt`), 'kepT');
    expect(await store.read(sha256, 0, 10)).toEqual({ kind: 'damaged' });
    await store.save('kept');
    expect(await store.read(sha256, 0, 10)).toMatchObject({ text: 'kept' });
  });

  it('takes the same text from many at once', async () => {
    const { folder, store } = await createStore();
    await Promise.all(Array.from({ length: 10 }, () => store.save('same')));
    expect(await readdir(folder)).toHaveLength(1);
  });
});
