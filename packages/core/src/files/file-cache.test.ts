/** The cache is bounded, and a stub never stands for what this agent cannot see. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MessageId, messageId } from '../message/message.ts';
import {
  type CachedFile,
  EMPTY_FILE_CACHE,
  type FileCache,
  fileSnapshot,
  findFile,
  isUnchangedAndVisible,
  rememberRead,
  rememberWrite,
  restoreCache,
  touchFile,
} from './file-cache.ts';
import { fileUnchangedText } from './texts.ts';

function file(path: string, change: Partial<CachedFile> = {}): CachedFile {
  return {
    path,
    hash: `hash of ${path}`,
    bytes: 10,
    readAtMs: 1,
    shownBy: 'm1',
    whole: true,
    edited: false,
    ...change,
  };
}

const MEGABYTE = 1024 * 1024;
const paths = (cache: FileCache) => cache.entries.map(({ path }) => path);
const everything = () => true;
const nothing = () => false;

describe('the cache', () => {
  it('keeps the 100 most recently used files', () => {
    let cache = EMPTY_FILE_CACHE;
    for (let index = 0; index < 100; index++) cache = rememberRead(cache, file(`f${index}`));
    cache = touchFile(cache, 'f0', 7);
    cache = rememberRead(cache, file('one more'));
    expect(cache.entries).toHaveLength(100);
    expect(paths(cache).slice(0, 2)).toEqual(['one more', 'f0']);
    expect(findFile(cache, 'f1')).toBeUndefined();
    expect(findFile(cache, 'f0')?.readAtMs).toBe(7);
  });

  it('holds at most 25 MB, and a file that is larger not at all', () => {
    let cache = EMPTY_FILE_CACHE;
    for (const path of ['a', 'b', 'c']) cache = rememberRead(cache, file(path, { bytes: 10 * MEGABYTE }));
    expect(paths(cache)).toEqual(['c', 'b']);
    expect(cache.bytes).toBe(20 * MEGABYTE);
    cache = rememberRead(cache, file('c', { bytes: 26 * MEGABYTE }));
    expect(paths(cache)).toEqual(['b']);
  });

  it('knows that a file is the agent’s own work also after it was read again', () => {
    const cache = rememberRead(rememberWrite(EMPTY_FILE_CACHE, file('a')), file('a', { shownBy: 'm9' }));
    expect(findFile(cache, 'a')).toMatchObject({ edited: true, whole: true, shownBy: 'm9' });
  });

  it('remembers where all of a file stands when only some lines are read again', () => {
    const lines = file('a', { whole: false, shownBy: 'm9' });
    const cache = rememberRead(EMPTY_FILE_CACHE, file('a'));
    expect(findFile(rememberRead(cache, lines), 'a')).toMatchObject({ whole: true, shownBy: 'm1' });
    const changed = rememberRead(cache, { ...lines, hash: 'other' });
    expect(findFile(changed, 'a')).toMatchObject({ whole: false, shownBy: 'm9' });
  });

  it('touches no file that it does not know', () => {
    expect(touchFile(EMPTY_FILE_CACHE, 'a', 1)).toBe(EMPTY_FILE_CACHE);
  });

  it('is the same as a plain list with the same rules, whatever is read and written', () => {
    const operation = fc.record({
      path: fc.nat(120).map((index) => `f${index}`),
      bytes: fc.oneof(fc.nat(1000), fc.nat(12 * MEGABYTE)),
      kind: fc.constantFrom('read', 'read', 'write', 'touch'),
    });
    const many = fc.array(operation, { minLength: 100, maxLength: 250, size: 'max' });
    fc.assert(
      fc.property(many, (operations) => {
        let cache = EMPTY_FILE_CACHE;
        let model: { path: string; bytes: number }[] = [];
        for (const { path, bytes, kind } of operations) {
          const known = model.find((entry) => entry.path === path);
          if (kind === 'touch') cache = touchFile(cache, path, 5);
          else if (kind === 'read') cache = rememberRead(cache, file(path, { bytes }));
          else cache = rememberWrite(cache, file(path, { bytes }));
          if (kind === 'touch' && known === undefined) continue;
          const used = kind === 'touch' && known !== undefined ? known : { path, bytes };
          model = [used, ...model.filter((entry) => entry.path !== path)].slice(0, 100);
          while (model.reduce((sum, entry) => sum + entry.bytes, 0) > 25 * MEGABYTE) model.pop();
        }
        expect(cache.entries.map(({ path, bytes }) => ({ path, bytes }))).toEqual(model);
        expect(cache.bytes).toBe(model.reduce((sum, entry) => sum + entry.bytes, 0));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the stub', () => {
  const entry = file('a');

  it('stands for a whole, unchanged file that is still in the view', () => {
    expect(isUnchangedAndVisible(entry, entry.hash, everything)).toBe(true);
    expect(isUnchangedAndVisible({ ...entry, readAtMs: 99 }, entry.hash, everything)).toBe(true);
  });

  it('does not stand for what was masked, cut, changed, written, or never shown', () => {
    expect(isUnchangedAndVisible(entry, entry.hash, nothing)).toBe(false);
    expect(isUnchangedAndVisible({ ...entry, whole: false }, entry.hash, everything)).toBe(false);
    expect(isUnchangedAndVisible(entry, 'another', everything)).toBe(false);
    expect(isUnchangedAndVisible({ ...entry, shownBy: null }, entry.hash, everything)).toBe(false);
    expect(isUnchangedAndVisible(undefined, entry.hash, everything)).toBe(false);
    const written = rememberWrite(EMPTY_FILE_CACHE, entry);
    expect(isUnchangedAndVisible(findFile(written, 'a'), entry.hash, everything)).toBe(false);
  });

  it('says where the content stands, in both languages and few words', () => {
    for (const language of ['zh', 'en'] as const) {
      expect(fileUnchangedText('notes/a.txt', 'm42', language)).toMatch(/notes\/a\.txt.*m42/);
      expect(fileUnchangedText('notes/a.txt', 'm42', language).length).toBeLessThan(200);
    }
  });

  /** A world beside the cache: disk, and what each message shows. The stub is checked against it. */
  it('is honest whatever is read, written, masked, compacted or changed on disk', () => {
    const operation = fc.record({
      path: fc.constantFrom('a', 'b', 'c'),
      kind: fc.constantFrom('read', 'read', 'read', 'lines', 'write', 'change', 'mask', 'compact'),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const disk = new Map([...'abc'].map((path) => [path, 0]));
        const shown = new Map<MessageId, { path: string; version: number; whole: boolean }>();
        const visible = (id: MessageId) => shown.has(id);
        let cache = EMPTY_FILE_CACHE;
        operations.forEach(({ path, kind, pick }, index) => {
          const id = messageId(index);
          const version = disk.get(path) ?? 0;
          const hash = `${path}${version}`;
          const entry = findFile(cache, path);
          switch (kind) {
            case 'read':
              if (isUnchangedAndVisible(entry, hash, visible)) {
                const proof = entry?.shownBy ?? 'm0';
                expect(shown.get(proof)).toEqual({ path, version, whole: true });
                cache = touchFile(cache, path, index);
                break;
              }
              shown.set(id, { path, version, whole: true });
              cache = rememberRead(cache, file(path, { hash, shownBy: id, whole: true }));
              break;
            case 'lines':
              shown.set(id, { path, version, whole: false });
              cache = rememberRead(cache, file(path, { hash, shownBy: id, whole: false }));
              break;
            case 'write':
              disk.set(path, index + 1);
              cache = rememberWrite(cache, file(path, { hash: `${path}${index + 1}`, shownBy: id }));
              break;
            case 'change':
              disk.set(path, index + 1);
              break;
            case 'mask':
              shown.delete([...shown.keys()][pick % Math.max(1, shown.size)] ?? id);
              break;
            case 'compact':
              for (const known of [...shown.keys()].slice(0, pick % 5)) shown.delete(known);
              cache = restoreCache(fileSnapshot(cache), null, visible);
          }
        });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('restoreCache', () => {
  const before = [
    file('seen', { shownBy: 'm3' }),
    file('lines', { shownBy: 'm3', whole: false }),
    file('gone', { shownBy: 'm2' }),
    file('mine', { shownBy: 'm1', edited: true }),
    file('never shown', { shownBy: null }),
  ];

  it('keeps what is still shown, in part or whole, and what came back; the order of use stays', () => {
    const fact = { path: 'mine', hash: 'new', bytes: 12, did: 'read' as const, whole: false };
    const after = restoreCache(before, { message: 'm9', files: [fact] }, (id) => id === 'm3');
    expect(paths(after)).toEqual(['seen', 'lines', 'mine']);
    expect(findFile(after, 'mine')).toMatchObject({ hash: 'new', shownBy: 'm9', whole: false, edited: true });
    expect(after.bytes).toBe(32);
  });

  it('forgets all that a compaction hid where nothing came back', () => {
    expect(restoreCache(before, null, nothing)).toEqual(EMPTY_FILE_CACHE);
  });

  it('keeps to its limit also where a file has grown meanwhile', () => {
    const fact = { path: 'gone', hash: 'new', bytes: 26 * MEGABYTE, did: 'read' as const, whole: false };
    const after = restoreCache(before, { message: 'm9', files: [fact] }, (id) => id === 'm3');
    expect(paths(after)).toEqual(['seen', 'lines']);
  });
});
