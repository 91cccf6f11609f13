/** Shared transactions: what each writer hears when the one transaction of many fails, waits or is closed. */
import { describe, expect, it } from 'vitest';
import { GroupCommit, type Transactions } from './group-commit.ts';
import { ManualClock } from './manual-clock.contract.ts';
import { StoreError } from './store.ts';

/** A disk of one list: what is written becomes visible when the commit returns. */
function listDisk() {
  const disk = {
    stored: [] as string[],
    pending: [] as string[],
    commits: 0,
    /** Thrown by the next commits, in order; null lets one succeed. */
    faults: [] as (StoreError | null)[],
    /** What was told to have failed for good. */
    failed: [] as StoreError['kind'][],
    put: (value: string) => () => {
      disk.pending.push(value);
      return value;
    },
  };
  const transactions: Transactions = {
    commit(work) {
      disk.commits += 1;
      disk.pending = [];
      work();
      const fault = disk.faults.shift();
      if (fault) throw fault;
      disk.stored.push(...disk.pending);
    },
    isolate(work) {
      const before = [...disk.pending];
      try {
        return work();
      } catch (error) {
        disk.pending = before;
        throw error;
      }
    },
    isIsolated: (error) => error instanceof RangeError,
    toStoreError: (error) =>
      error instanceof StoreError ? error : new StoreError('failed', String(error), { cause: error }),
    failed: (lasting) => disk.failed.push(lasting.kind),
  };
  const clock = new ManualClock();
  return { disk, clock, writes: new GroupCommit(transactions, clock) };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));
const fault = (kind: StoreError['kind']) => new StoreError(kind, `generated ${kind}`);
const refuse = () => {
  throw new RangeError('refused');
};

describe('writes that are asked for at the same time', () => {
  it('share one transaction and keep their order', async () => {
    const { disk, writes } = listDisk();
    const results = await Promise.all(['a', 'b', 'c'].map((value) => writes.write(disk.put(value))));
    expect(results).toEqual(['a', 'b', 'c']);
    expect(disk).toMatchObject({ stored: ['a', 'b', 'c'], commits: 1 });
  });

  it('are undone one by one where one is refused', async () => {
    const { disk, writes } = listDisk();
    const half = () => {
      disk.put('half')();
      refuse();
    };
    const results = await Promise.allSettled([
      writes.write(disk.put('a')),
      writes.write(half),
      writes.write(disk.put('b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(disk.stored).toEqual(['a', 'b']);
  });

  it('all fail with the commit, and leave nothing', async () => {
    const { disk, writes } = listDisk();
    disk.faults = [fault('full')];
    const results = await Promise.allSettled(['a', 'b'].map((value) => writes.write(disk.put(value))));
    const rejected = { status: 'rejected', reason: fault('full') };
    expect(results).toEqual([rejected, rejected]);
    expect(disk.stored).toEqual([]);
  });

  it('all fail when one meets an error of the whole transaction', async () => {
    const { disk, writes } = listDisk();
    const broken = () => {
      throw fault('full');
    };
    const results = await Promise.allSettled([writes.write(disk.put('a')), writes.write(broken)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(disk.stored).toEqual([]);
  });

  it('are split over several transactions when they are many', async () => {
    const { disk, writes } = listDisk();
    const values = Array.from({ length: 1_200 }, (_, index) => `${index}`);
    await Promise.all(values.map((value) => writes.write(disk.put(value))));
    expect(disk.stored).toEqual(values);
    expect(disk.commits).toBe(3);
  });
});

describe('after a failure', () => {
  it.each(['full', 'read_only'] as const)('a %s disk is tried again by the next write', async (kind) => {
    const { disk, writes } = listDisk();
    disk.faults = [fault(kind)];
    await expect(writes.write(disk.put('a'))).rejects.toMatchObject({ kind });
    expect(await writes.write(disk.put('b'))).toBe('b');
  });

  it.each(['failed', 'corrupt'] as const)('a %s disk is never written to again', async (kind) => {
    const { disk, writes } = listDisk();
    disk.faults = [fault(kind)];
    const many = Array.from({ length: 600 }, (_, index) => writes.write(disk.put(`${index}`)));
    const results = await Promise.allSettled(many);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(writes.write(disk.put('b'))).rejects.toMatchObject({ kind });
    expect(disk).toMatchObject({ stored: [], commits: 1 });
  });
});

describe('while another process is writing', () => {
  it('a write waits, and later ones wait behind it', async () => {
    const { disk, clock, writes } = listDisk();
    disk.faults = [fault('busy'), fault('busy'), null];
    const first = writes.write(disk.put('a'));
    await nextTick();
    const second = writes.write(disk.put('b'));
    clock.advance(20);
    expect(disk).toMatchObject({ stored: [], commits: 2 });
    clock.advance(20);
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
    expect(disk).toMatchObject({ stored: ['a', 'b'], commits: 3 });
  });

  it('a write hears `busy` after two seconds of its own, not of the others', async () => {
    const { disk, clock, writes } = listDisk();
    disk.faults = Array.from({ length: 150 }, () => fault('busy'));
    const first = writes.write(disk.put('a'));
    await nextTick();
    clock.advance(1_000);
    const second = writes.write(disk.put('b'));
    clock.advance(1_000);
    await expect(first).rejects.toMatchObject({ kind: 'busy' });
    disk.faults = [];
    clock.advance(20);
    expect(await second).toBe('b');
    expect(disk.stored).toEqual(['b']);
  });

  it('writing goes on normally after everyone gave up', async () => {
    const { disk, clock, writes } = listDisk();
    disk.faults = Array.from({ length: 150 }, () => fault('busy'));
    const first = writes.write(disk.put('a'));
    await nextTick();
    clock.advance(2_000);
    await expect(first).rejects.toMatchObject({ kind: 'busy' });
    expect(clock.waiting).toBe(0);
    disk.faults = [];
    expect(await writes.write(disk.put('b'))).toBe('b');
  });
});

describe('close', () => {
  it('waits for what was asked for, and refuses the rest', async () => {
    const { disk, clock, writes } = listDisk();
    disk.faults = [fault('busy')];
    const asked = writes.write(disk.put('a'));
    const closed = writes.close();
    await expect(writes.write(disk.put('late'))).rejects.toMatchObject({ kind: 'failed' });
    await nextTick();
    clock.advance(20);
    await closed;
    expect(await asked).toBe('a');
    expect(disk.stored).toEqual(['a']);
  });
});
