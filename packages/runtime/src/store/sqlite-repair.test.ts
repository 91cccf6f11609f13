/** Checking, saving and copying a database: what each says of a whole one and of one that is damaged. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatedSession } from '@astroresearch/core/testing';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testEvents } from '../testing/test-events.ts';
import { backupDatabase } from './backup-database.ts';
import { inspectDatabase } from './inspect-database.ts';
import { ManualClock } from './manual-clock.contract.ts';
import { addRowHash, HASHED_TABLES, hashOf } from './row-hash.ts';
import { salvageDatabase } from './salvage-database.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

const { created, said } = testEvents;
const SEED = 77;
const clock = new ManualClock();

let folder: string;
let path: string;
let out: string;
let opened: { close(): unknown }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'astroresearch-repair-'));
  path = join(folder, 'agent.db');
  out = join(folder, 'out.db');
  opened = [];
});
afterEach(async () => {
  for (const connection of opened) await connection.close();
  rmSync(folder, { recursive: true });
});

function openStore(at = path): Store {
  const store = openSqliteStore({ path: at, clock });
  opened.push(store);
  return store;
}

/** Sessions as turns make them, and two short ones; still open. */
async function filled(): Promise<{ store: Store; ids: readonly string[] }> {
  const store = openStore();
  const logs = fc.sample(generatedSession, { seed: SEED, numRuns: 6 });
  for (const [index, { log }] of logs.entries()) await store.append(`g${index}`, 0, 0, log);
  for (const id of ['a', 'b']) {
    await store.append(id, 0, 0, [created(id), said(2, 1, `first of ${id}`), said(3, 2, `second of ${id}`)]);
    await store.claim(id, 'owner', 0, 1_000);
  }
  const { items } = await store.listSessions({ limit: 99, cursor: null, query: null });
  return { store, ids: items.map(({ sessionId }) => sessionId) };
}

async function readAll(store: Store, ids: readonly string[]) {
  const sessions = [];
  for (const id of ids) {
    sessions.push([
      await store.readSession(id),
      await store.readEvents(id, 0, 9_999),
      await store.readMessages(id, { agentName: '*', after: null, limit: 9_999 }),
      await store.readTasks(id),
    ]);
  }
  return sessions;
}

/** As another program would, without hashes. */
function damage(sql: string): void {
  const file = new Database(path);
  file.pragma('foreign_keys = OFF');
  file.exec(sql);
  file.close();
}

/** As a fault of ours would: the rows have the hashes of what they hold. */
function change(sql: string): void {
  damage(sql);
  const file = new Database(path);
  addRowHash(file);
  for (const table of HASHED_TABLES) file.exec(`UPDATE ${table} SET hash = ${hashOf(table)}`);
  file.close();
}

const faultsOf = () => inspectDatabase(path).faults.map(({ kind, sessionId }) => ({ kind, sessionId }));

describe('a check', () => {
  it('finds nothing wrong with what the store wrote, while it is open', async () => {
    const { ids } = await filled();
    const report = inspectDatabase(path);
    expect(report).toMatchObject({ isNewest: true, faults: [] });
    expect(report.sessions).toBeGreaterThanOrEqual(ids.length);
  });

  it.each([
    ['an event that is gone', `DELETE FROM agent_events WHERE session_id = 'a' AND seq = 2`, 'gap', 'a'],
    ['an end that is gone', `DELETE FROM agent_events WHERE session_id = 'b' AND seq = 3`, 'gap', 'b'],
    [
      'a title that the log does not give',
      `UPDATE agent_sessions SET title = 'x' WHERE session_id = 'a'`,
      'projection',
      'a',
    ],
    [
      'rows of no session',
      `INSERT INTO agent_tasks VALUES ('none', 0, '1', 'x', 'pending', '[]', NULL, NULL)`,
      'orphan-rows',
      null,
    ],
    ['an epoch that went back', `UPDATE agent_events SET epoch = 9 WHERE session_id = 'a'`, 'lease', 'a'],
  ] as const)('finds %s, though every row has its hash', async (_, sql, kind, sessionId) => {
    const { store } = await filled();
    await store.close();
    change(sql);
    expect(faultsOf()).toContainEqual({ kind, sessionId });
  });

  it('finds a row that is not what was written', async () => {
    await filled();
    damage(`UPDATE agent_messages SET content = 'x' WHERE session_id = 'a'`);
    expect(faultsOf()).toEqual([{ kind: 'damaged-row', sessionId: 'a' }]);
  });

  it('says that commits are lost', async () => {
    const { store } = await filled();
    await store.close();
    writeFileSync(`${path}.mark`, '0000000000099999\n');
    expect(faultsOf()).toEqual([{ kind: 'lost-commits', sessionId: null }]);
  });
});

describe('salvage', () => {
  it('of a whole database gives an equal one, and leaves the first as it was', async () => {
    const { store, ids } = await filled();
    const expected = await readAll(store, ids);
    await store.close();
    const before = readFileSync(path);
    const salvaged = await salvageDatabase({ from: path, out, clock });
    expect(salvaged.every(({ left }) => left === 0)).toBe(true);
    expect(await readAll(openStore(out), ids)).toEqual(expected);
    expect(inspectDatabase(out).faults).toEqual([]);
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('.salvage'))).toEqual([]);
  });

  it('cuts a session at its first damaged event, and keeps the others whole', async () => {
    const { store } = await filled();
    await store.close();
    damage(`UPDATE agent_messages SET content = 'x' WHERE session_id = 'a' AND ordinal = 2`);
    const salvaged = await salvageDatabase({ from: path, out, clock });
    expect(salvaged).toContainEqual({ sessionId: 'a', events: 2, left: 1 });
    expect(salvaged).toContainEqual({ sessionId: 'b', events: 3, left: 0 });
    const saved = openStore(out);
    expect(await saved.readEvents('a', 0, 9)).toHaveLength(2);
    expect(await saved.append('a', 2, 0, [said(3, 2, 'it goes on')])).toEqual({ kind: 'appended' });
  });

  it('of a file with wrecked pages gives only what was written', async () => {
    const { store, ids } = await filled();
    const whole = new Map<string, readonly unknown[]>();
    for (const id of ids) whole.set(id, await store.readEvents(id, 0, 9_999));
    await store.close();
    const bytes = readFileSync(path);
    let saved = 0;
    for (let page = 20; page * 4_096 < bytes.length; page += 7) {
      const wrecked = join(folder, `wrecked-${page}.db`);
      writeFileSync(wrecked, Buffer.from(bytes).fill(0x5a, page * 4_096, (page + 1) * 4_096));
      const to = join(folder, `saved-${page}.db`);
      await salvageDatabase({ from: wrecked, out: to, clock });
      const store = openStore(to);
      for (const id of ids) {
        const log = await store.readEvents(id, 0, 9_999);
        expect(log).toEqual((whole.get(id) ?? []).slice(0, log.length));
        saved += log.length;
      }
    }
    expect(saved).toBeGreaterThan(0);
  });

  it('writes over nothing', async () => {
    await filled();
    writeFileSync(out, 'mine');
    await expect(salvageDatabase({ from: path, out, clock })).rejects.toThrow(/exists already/);
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });
});

describe('a backup', () => {
  const ids = () => 'draft';

  it('made while the database is written to is one that opens, with all that was acknowledged before', async () => {
    const { store, ids: sessions } = await filled();
    const expected = await readAll(store, sessions);
    const later = store.append('later', 0, 0, [created()]);
    backupDatabase({ from: path, out, ids });
    expect(await later).toEqual({ kind: 'appended' });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes('draft'))).toEqual([]);
    const restored = join(folder, 'restored.db');
    copyFileSync(out, restored);
    const copy = openStore(restored);
    expect(await readAll(copy, sessions)).toEqual(expected);
    const found = await copy.listSessions({ limit: 9, cursor: null, query: 'second of b' });
    expect(found.items.map(({ sessionId }) => sessionId)).toEqual(['b']);
    expect(inspectDatabase(restored).faults).toEqual([]);
  });

  it('writes over nothing', async () => {
    await filled();
    writeFileSync(out, 'mine');
    expect(() => backupDatabase({ from: path, out, ids })).toThrow(/exists already/);
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });

  it('of a damaged database is not made', async () => {
    await filled();
    damage(`UPDATE agent_messages SET content = 'x' WHERE session_id = 'a'`);
    expect(() => backupDatabase({ from: path, out, ids })).toThrow(/no backup was made/);
    expect(existsSync(out)).toBe(false);
  });
});
