/** What lies beside a database file and what is found wrong with it before anything is written (reliability.md 2.4). */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TurnEvent } from '@astroresearch/core';

import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testEvents } from '../testing/test-events.ts';
import { ManualClock } from './manual-clock.contract.ts';
import { MIGRATIONS } from './migrations.ts';
import { addRowHash } from './row-hash.ts';
import { openSqliteStore } from './sqlite.ts';
import { closeDatabase, openDatabase } from './sqlite-open.ts';
import type { Store } from './store.ts';

const { created, said } = testEvents;

let folder: string;
let path: string;
let opened: { close(): unknown }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'astroresearch-files-'));
  path = join(folder, 'agent.db');
  opened = [];
});
afterEach(async () => {
  for (const connection of opened) await connection.close();
  rmSync(folder, { recursive: true });
});

function openStore(at = path): Store {
  const store = openSqliteStore({ path: at, clock: new ManualClock() });
  opened.push(store);
  return store;
}

/** As a killed process leaves it: the last commits lie in the log alone. */
async function abandoned(log: readonly TurnEvent[]): Promise<string> {
  const store = openStore();
  await store.append('s', 0, 0, log.slice(0, 1));
  await store.append('s', 1, 0, log.slice(1));
  const copy = join(folder, 'copy.db');
  for (const suffix of ['', '-wal', '.mark']) copyFileSync(path + suffix, copy + suffix);
  return copy;
}

describe('a database whose last commits are missing', () => {
  it('is refused where its log was deleted, and opens when the log is back', async () => {
    const copy = await abandoned([created(), said(2, 1, 'the last words')]);
    const log = readFileSync(`${copy}-wal`);
    rmSync(`${copy}-wal`);
    expect(() => openStore(copy)).toThrow(/0 events, and 2 were written.*Put the missing file back/);
    writeFileSync(`${copy}-wal`, log);
    expect(await openStore(copy).readHead('s')).toMatchObject({ seq: 2 });
  });

  it('is refused where the file was emptied', async () => {
    const store = openStore();
    await store.append('s', 0, 0, [created()]);
    await store.close();
    writeFileSync(path, '');
    expect(() => openStore()).toThrow(/0 events, and 1 were written/);
  });

  it('opens once the mark is deleted, as the error says', async () => {
    const store = openStore();
    await store.append('s', 0, 0, [created()]);
    await store.close();
    writeFileSync(path, '');
    rmSync(`${path}.mark`);
    expect(await openStore().readHead('s')).toBeNull();
  });

  it('is not suspected where the mark is torn or older', async () => {
    const store = openStore();
    await store.append('s', 0, 0, [created()]);
    await store.close();
    for (const mark of ['', '00000', 'not a number']) {
      writeFileSync(`${path}.mark`, mark);
      const again = openStore();
      expect(await again.readHead('s')).toMatchObject({ seq: 1 });
      await again.close();
    }
  });
});

describe('another machine', () => {
  const here = { name: 'here', boot: 'b1' };

  it('is refused while the database is open, and let in afterwards', () => {
    const first = openDatabase(path, { host: here });
    expect(() => openDatabase(path, { host: { name: 'there', boot: 'b2' } })).toThrow(
      /open on the machine here.*Stop the program there.*delete/,
    );
    closeDatabase(first, path);
    closeDatabase(openDatabase(path, { host: { name: 'there', boot: 'b2' } }), path);
  });

  it.each([
    ['after a restart', { name: 'here', boot: 'b9' }],
    ['in another container on one kernel', { name: 'container', boot: 'b1' }],
  ])('is none %s', (_, host) => {
    const first = openDatabase(path, { host: here });
    closeDatabase(openDatabase(path, { host }), path);
    expect(existsSync(`${path}.host`)).toBe(true);
    closeDatabase(first, path);
    expect(existsSync(`${path}.host`)).toBe(false);
  });
});

describe('what lies beside the database', () => {
  it('is its user’s alone, also where others could read it before', async () => {
    writeFileSync(path, '', { mode: 0o644 });
    await openStore().append('s', 0, 0, [created()]);
    for (const suffix of ['', '-wal', '-shm', '.mark', '.host']) {
      expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
    }
  });
});

describe('a row that is not what was written', () => {
  const change = (sql: string, at = path) => {
    const file = new Database(at);
    file.exec(sql);
    file.close();
  };

  it.each([
    [`UPDATE agent_events SET data = replace(data, 't', 'u')`, 'agent_events'],
    [`UPDATE agent_messages SET content = 'other'`, 'agent_messages'],
    [`UPDATE agent_sessions SET deleted = 1`, 'agent_sessions'],
    [`UPDATE agent_leases SET epoch = 7`, 'agent_leases'],
    [`UPDATE agent_tasks SET status = 'completed'`, 'agent_tasks'],
  ])('is found when the file is opened: %s', async (sql, table) => {
    const store = openStore();
    const tasks = [{ id: '1', content: 'x', status: 'pending', blockedBy: [] }] as const;
    const { atMs, step, agentName, turnId } = created();
    await store.append('s', 0, 0, [
      created(),
      said(2, 1, 'text'),
      { seq: 3, atMs, step, agentName, turnId, type: 'tasks', tasks },
    ]);
    await store.claim('s', 'A', 0, 1_000);
    await store.close();
    change(sql);
    const before = readFileSync(path);
    expect(() => openStore()).toThrow(new RegExp(`row of ${table}.*doctor --db --salvage`));
    expect(readFileSync(path)).toEqual(before);
  });

  it('is found when it is read, and other sessions go on', async () => {
    const store = openStore();
    await store.append('s', 0, 0, [created(), said(2, 1, 'text')]);
    await store.append('t', 0, 0, [created()]);
    change(`UPDATE agent_messages SET content = 'other'`);
    change(`UPDATE agent_sessions SET turn_count = 9 WHERE session_id = 's'`);
    const corrupt = { name: 'StoreError', kind: 'corrupt' };
    await expect(store.readEvents('s', 0, 9)).rejects.toMatchObject(corrupt);
    await expect(store.readSession('s')).rejects.toMatchObject(corrupt);
    await expect(store.append('s', 2, 0, [said(3, 2, 'b')])).rejects.toMatchObject(corrupt);
    await expect(store.claim('s', 'A', 0, 1_000)).rejects.toMatchObject(corrupt);
    expect(await store.append('t', 1, 0, [said(2, 1, 'b')])).toEqual({ kind: 'appended' });
  });
});

describe('a database of version 2', () => {
  it('gets hashes and the search for what it holds', async () => {
    const old = new Database(path);
    addRowHash(old);
    for (const sql of MIGRATIONS.slice(0, 2)) old.exec(sql);
    old.pragma('user_version = 2');
    old.exec(`
      INSERT INTO agent_sessions VALUES ('s', 't', NULL, NULL, 0, 'idle', '{}', 1, 2, 2, 1, 0);
      INSERT INTO agent_events VALUES
        ('s', 1, 0, 'session_created', NULL, 'lead', 0, '{"title":"t","model":null,"metadata":{}}', NULL, 1),
        ('s', 2, 0, 'message', NULL, 'lead', 0, '{}', 'm1', 2);
      INSERT INTO agent_messages VALUES
        ('s', 'm1', 1, 'lead', 1, 0, 'user', '造父变星', NULL, NULL, NULL, NULL, 3, '{}', NULL, 2);
      INSERT INTO agent_leases VALUES ('s', NULL, 4, 0);`);
    old.close();
    const store = openStore();
    expect(await store.readEvents('s', 0, 9)).toHaveLength(2);
    expect(await store.claim('s', 'A', 0, 1_000)).toEqual({ kind: 'claimed', epoch: 5 });
    const { items } = await store.listSessions({ limit: 9, cursor: null, query: '变星' });
    expect(items).toHaveLength(1);
  });
});

describe('a file that is full', () => {
  it('refuses what does not fit, reads on, and takes it once there is room', async () => {
    let grow = () => {};
    const store = openSqliteStore({
      path,
      clock: new ManualClock(),
      connect(at) {
        const database = openDatabase(at);
        const pages = Number(database.pragma('page_count', { simple: true }));
        database.pragma(`max_page_count = ${pages + 8}`);
        grow = () => void database.pragma(`max_page_count = ${pages + 800}`);
        return database;
      },
    });
    opened.push(store);
    await store.append('s', 0, 0, [created()]);
    const long = said(2, 1, '星系'.repeat(40_000));
    await expect(store.append('s', 1, 0, [long])).rejects.toMatchObject({ kind: 'full' });
    expect(await store.readEvents('s', 0, 9)).toHaveLength(1);
    grow();
    expect(await store.append('s', 1, 0, [long])).toEqual({ kind: 'appended' });
    expect(await store.readEvents('s', 0, 9)).toHaveLength(2);
  });
});
