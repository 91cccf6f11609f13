/** Bytes that changed and logs that end early: what is read is what was written, or it is said that it is not. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEAD } from '@astroresearch/core';
import { generatedSession } from '@astroresearch/core/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createManualClock } from '../src/manual-clock.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { type Store, StoreError } from '../src/store/store.ts';
import { testEvents } from '../src/testing/test-events.ts';

const FLIPS = 500;
const SEED = 20_260_101;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'astroresearch-damage-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const openAt = (path: string): Store => openSqliteStore({ path, clock: createManualClock(0) });

/** Everything that the port gives. */
async function readAll(store: Store, sessions: readonly string[]): Promise<unknown> {
  const found: unknown[] = [];
  for (const id of sessions) {
    const span = { from: 'm1', to: 'm9999', limit: 9_999 } as const;
    found.push(
      await store.readHead(id),
      await store.readSession(id),
      await store.readEvents(id, 0, 9_999),
      await store.readMessages(id, { agentName: '*', after: null, limit: 9_999 }),
      await store.readMessages(id, { agentName: LEAD, after: null, limit: 9_999 }),
      await store.readCutResults(id, { agentName: '*', ...span }),
      await store.readTasks(id),
    );
  }
  for (const query of [null, '星', 'redshift']) {
    found.push(await store.listSessions({ limit: 100, cursor: null, query }));
  }
  return found;
}

it(`every one of ${FLIPS} changed bytes is harmless or noticed`, async () => {
  const path = join(folder, 'whole.db');
  const store = openAt(path);
  const logs = fc.sample(generatedSession, { seed: SEED, numRuns: 12 });
  const ids: string[] = [];
  for (const [index, { log }] of logs.entries()) {
    const id = `session-${index}`;
    if ((await store.append(id, 0, 0, log)).kind === 'appended') ids.push(id);
    await store.claim(id, 'owner', 0, 1_000).catch(() => {});
  }
  const { created, said } = testEvents;
  await store.append('last', 0, 0, [created('星系'), said(2, 1, 'a redshift of 0.5')]);
  ids.push('last');
  const expected = await readAll(store, ids);
  await store.close();
  const bytes = readFileSync(path);

  const places = fc.sample(
    fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) }),
    {
      seed: SEED,
      numRuns: FLIPS,
    },
  );
  const outcomes = { correct: 0, detected: 0 };
  for (const { at, by } of places) {
    const damaged = join(folder, 'damaged.db');
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ by;
    writeFileSync(damaged, changed);
    let opened: Store | null = null;
    try {
      opened = openAt(damaged);
      expect(await readAll(opened, ids), `byte ${at} ^ ${by}`).toEqual(expected);
      outcomes.correct += 1;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      outcomes.detected += 1;
    } finally {
      await opened?.close();
      for (const suffix of ['', '-wal', '-shm', '.mark', '.host']) rmSync(damaged + suffix, { force: true });
    }
  }
  console.log('changed bytes', { fileBytes: bytes.length, ...outcomes });
  expect(outcomes.detected).toBeGreaterThan(FLIPS / 4);
});

it('a log that ends early loses whole transactions, the last ones first', async () => {
  const path = join(folder, 'log.db');
  const store = openAt(path);
  const { created, said } = testEvents;
  await store.append('s', 0, 0, [created()]);
  for (let n = 1; n <= 8; n++) {
    await store.append('s', 2 * n - 1, 0, [
      said(2 * n, 2 * n - 1, `first of ${n}`),
      said(2 * n + 1, 2 * n, `second of ${n}`),
    ]);
  }
  const whole = await store.readEvents('s', 0, 99);
  const torn = join(folder, 'torn.db');
  const size = readFileSync(`${path}-wal`).length;
  let longest = 0;
  const ends = Array.from({ length: Math.ceil(size / 512) }, (_, block) => block * 512);
  for (const end of [...ends, size]) {
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, torn + suffix);
    truncateSync(`${torn}-wal`, end);
    const opened = openAt(torn);
    const left = await opened.readEvents('s', 0, 99);
    expect(left).toEqual(whole.slice(0, left.length));
    expect(left.length === 0 || left.length % 2 === 1).toBe(true);
    expect(left.length).toBeGreaterThanOrEqual(longest);
    longest = left.length;
    await opened.close();
    for (const suffix of ['', '-wal', '-shm', '.mark', '.host']) rmSync(torn + suffix, { force: true });
  }
  expect(longest).toBe(whole.length);
  await store.close();
});
