import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '../manual-clock.ts';
import type { MemoryCandidate, MemoryGate } from './memory.ts';
import { createMemoryFiles } from './memory-files.ts';

const START_MS = Date.UTC(2026, 2, 1);

async function createFolder(gate?: MemoryGate) {
  const base = await mkdtemp(join(tmpdir(), 'memories-'));
  onTestFinished(() => rm(base, { recursive: true }));
  const folder = join(base, 'memory');
  const clock = createManualClock(START_MS);
  const open = () =>
    createMemoryFiles({ folder, clock, ids: randomUUID, ...(gate === undefined ? {} : { gate }) });
  return { folder, clock, open, memories: open(), index: () => readFile(join(folder, 'MEMORY.md'), 'utf8') };
}

const candidate = (name: string, content: string, update = false): MemoryCandidate => {
  return { type: 'project', name, content, update };
};

const FACT = 'The plate scale is 0.263 arcsec per pixel.';

describe('createMemoryFiles', () => {
  it('keeps a memory in a file of its own and in the index, for this user alone', async () => {
    const { folder, memories, index } = await createFolder();
    expect(await memories.save(candidate('plate-scale', `${FACT}\r\n`))).toEqual({ kind: 'saved' });
    expect(await memories.recent(5)).toEqual({
      memories: [
        { type: 'project', name: 'plate-scale', content: FACT, createdAtMs: START_MS, updatedAtMs: START_MS },
      ],
      broken: [],
    });
    expect((await readdir(folder)).sort()).toEqual(['MEMORY.md', 'plate-scale.md']);
    expect(await index()).toContain(`- [plate-scale](plate-scale.md) (project): ${FACT}`);
    expect((await stat(join(folder, 'plate-scale.md'))).mode & 0o777).toBe(0o600);
  });

  it('has no memories where there is no folder yet', async () => {
    const { memories } = await createFolder();
    expect(await memories.recent(5)).toEqual({ memories: [], broken: [] });
  });

  it('gives the newest first, and no more than asked for', async () => {
    const { memories, clock } = await createFolder();
    for (const name of ['one', 'two', 'three']) {
      await memories.save(candidate(name, `The fact of number ${name}.`));
      clock.advance(1000);
    }
    await memories.save(candidate('one', 'A newer fact of number one.', true));
    const names = (await memories.recent(2)).memories.map(({ name }) => name);
    expect(names).toEqual(['one', 'three']);
    expect((await memories.recent(Number.POSITIVE_INFINITY)).memories).toHaveLength(3);
  });

  it('replaces a memory only when told to, and keeps when it was first made', async () => {
    const { memories, clock, index } = await createFolder();
    await memories.save(candidate('scale', FACT));
    clock.advance(5000);
    expect(await memories.save(candidate('scale', 'The plate scale is 0.27.'))).toMatchObject({
      kind: 'refused',
      reason: { en: expect.stringContaining('pass update: true') },
    });
    expect(await memories.save(candidate('scale', 'The plate scale is 0.27.', true))).toEqual({
      kind: 'updated',
    });
    expect((await memories.recent(1)).memories[0]).toMatchObject({
      content: 'The plate scale is 0.27.',
      createdAtMs: START_MS,
      updatedAtMs: START_MS + 5000,
    });
    expect(await index()).toContain('0.27');
  });

  it('may be told the same thing again after a crash', async () => {
    const { memories, clock, open } = await createFolder();
    await memories.save(candidate('scale', FACT));
    clock.advance(5000);
    expect(await open().save(candidate('scale', FACT))).toEqual({ kind: 'saved' });
    expect((await memories.recent(1)).memories[0]?.updatedAtMs).toBe(START_MS);
  });

  it('saves under a new name when told to update one that is not there', async () => {
    const { memories } = await createFolder();
    expect(await memories.save(candidate('scale', FACT, true))).toEqual({ kind: 'saved' });
  });

  it.each(['', 'Plate', '../escape', 'a/b', 'memory', 'MEMORY', 'a\nb'])(
    'refuses the name %j',
    async (name) => {
      const { memories, folder } = await createFolder();
      expect((await memories.save(candidate(name, FACT))).kind).toBe('refused');
      await expect(readdir(folder)).rejects.toThrow('ENOENT');
    },
  );

  it('refuses content that is too short or too long, counted in characters', async () => {
    const { memories } = await createFolder();
    const kinds = await Promise.all(
      ['short', '  123456789  ', '🪐'.repeat(10), '星'.repeat(2000), '星'.repeat(2001)].map(
        async (content, index) => (await memories.save(candidate(`m-${index}`, content))).kind,
      ),
    );
    expect(kinds).toEqual(['refused', 'refused', 'saved', 'saved', 'refused']);
  });

  it('asks the gate with all other memories, not with the one that is replaced', async () => {
    const seen: (readonly string[])[] = [];
    const gate: MemoryGate = ({ content }, others) => {
      seen.push(others.map(({ name }) => name));
      return content.includes('no') ? { zh: '不行', en: 'it says no' } : null;
    };
    const { memories } = await createFolder(gate);
    await memories.save(candidate('a', 'yes'));
    await memories.save(candidate('b', 'yes'));
    await memories.save(candidate('a', 'yes, again', true));
    expect(await memories.save(candidate('c', 'no'))).toEqual({
      kind: 'refused',
      reason: { zh: '不行', en: 'it says no' },
    });
    expect(seen).toEqual([[], ['a'], ['b'], ['a', 'b']]);
  });

  it('lets two processes save at once and loses nothing, in the files or in the index', async () => {
    const { open, index } = await createFolder();
    const processes = [open(), open(), open()];
    await Promise.all(
      processes.flatMap((memories, process) =>
        Array.from({ length: 6 }, (_, n) =>
          memories.save(candidate(`m-${process}-${n}`, `Fact ${n} of process ${process}.`)),
        ),
      ),
    );
    expect((await open().recent(100)).memories).toHaveLength(18);
    expect((await index()).match(/^- /gm)).toHaveLength(18);
  });

  it('lets one of two win where both save another fact under one name', async () => {
    const { open } = await createFolder();
    const outcomes = await Promise.all([
      open().save(candidate('scale', 'The first fact of the two.')),
      open().save(candidate('scale', 'The second fact of the two.')),
    ]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['refused', 'saved']);
  });

  it('passes over files that are no memories, says so, and never writes over them', async () => {
    const { folder, memories } = await createFolder();
    await memories.save(candidate('good', FACT));
    await writeFile(join(folder, 'bad.md'), 'A note by hand');
    await writeFile(join(folder, 'big.md'), 'x'.repeat(70_000));
    await writeFile(join(folder, 'other.txt'), 'not ours');
    await mkdir(join(folder, 'folder.md'));
    const { memories: read, broken } = await memories.recent(10);
    expect(read.map(({ name }) => name)).toEqual(['good']);
    expect(broken.map(({ file }) => file)).toEqual(['bad.md', 'big.md', 'folder.md']);
    expect((await memories.save(candidate('bad', FACT, true))).kind).toBe('refused');
    expect(await readFile(join(folder, 'bad.md'), 'utf8')).toBe('A note by hand');
  });

  it('makes the index anew and clears what a crash left when the next memory is saved', async () => {
    const { folder, memories, index, clock } = await createFolder();
    await memories.save(candidate('one', 'The fact of number one.'));
    await rm(join(folder, 'MEMORY.md'));
    await writeFile(join(folder, '.crashed.tmp'), 'half a mem');
    await utimes(join(folder, '.crashed.tmp'), START_MS / 1000, START_MS / 1000);
    clock.advance(2 * 3_600_000);
    await memories.save(candidate('two', 'The fact of number two.'));
    expect((await index()).match(/^- /gm)).toHaveLength(2);
    expect(await readdir(folder)).not.toContain('.crashed.tmp');
  });

  it('goes on after a save that failed', async () => {
    const { folder, memories } = await createFolder();
    await writeFile(folder, 'a file where the folder should be');
    await expect(memories.save(candidate('one', FACT))).rejects.toThrow();
    await rm(folder);
    expect(await memories.save(candidate('one', FACT))).toEqual({ kind: 'saved' });
  });
});
