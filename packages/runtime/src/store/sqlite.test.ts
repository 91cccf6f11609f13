/** The SQLite store keeps the contract; and what only a file can show (reliability.md 2.4). */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageId, type TurnEvent } from '@astroresearch/core';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from './manual-clock.contract.ts';
import { MIGRATIONS } from './migrations.ts';
import { openSqliteStore } from './sqlite.ts';
import { openDatabase } from './sqlite-open.ts';
import { storeContract } from './store.contract.ts';
import { type Store, StoreError } from './store.ts';

let folder: string;
let path: string;
let clock: ManualClock;
let opened: { close(): unknown }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'astroresearch-store-'));
  path = join(folder, 'agent.db');
  clock = new ManualClock();
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

/** What another program sees or does. */
function openFile(): Database.Database {
  const database = new Database(path, { timeout: 0 });
  opened.push(database);
  return database;
}

storeContract('the SQLite store', () => openSqliteStore({ path: join(folder, 'contract.db'), clock }));

describe('the file', () => {
  it('holds everything when it is opened again', async () => {
    const first = openStore();
    const log = [created(), answered(2, 1)];
    await first.append('s', 0, 0, log);
    await first.claim('s', 'A', 0, 1_000);
    await first.close();

    const second = openStore();
    expect(await second.readEvents('s', 0, 10)).toStrictEqual(log);
    expect(await second.readHead('s')).toEqual({ seq: 2, epoch: 1, messages: 1 });
    expect(await second.claim('s', 'B', 999, 1_000)).toMatchObject({ kind: 'held', owner: 'A' });
  });

  it('shows at once to another connection what an append has resolved', async () => {
    const writer = openStore();
    const reader = openStore();
    await writer.append('s', 0, 0, [created()]);
    expect(await reader.readHead('s')).toEqual({ seq: 1, epoch: 0, messages: 0 });
    expect(await reader.append('s', 0, 0, [created()])).toEqual({ kind: 'conflict', seq: 1 });
    expect(await reader.claim('s', 'B', 0, 1_000)).toEqual({ kind: 'claimed', epoch: 1 });
    expect(await writer.append('s', 1, 0, [answered(2, 1)])).toEqual({ kind: 'fenced', epoch: 1 });
  });

  it('shows the edits of a compaction as rows', async () => {
    const store = openStore();
    const base = { id: 'm9' as const, agentName: 'lead', turnIndex: 1, step: 1, tokens: 40, createdAtMs: 0 };
    const digest = { messages: 3, words: [], facts: [], narrative: null };
    const replacement = {
      ...base,
      role: 'user' as const,
      kind: 'summary' as const,
      covers: { from: 'm2' as const, to: 'm4' as const },
      digest,
      parts: [{ type: 'text' as const, text: 'S' }],
    };
    const mask = {
      kind: 'rewrite',
      layer: 'micro',
      message: 'm6',
      parts: [],
      tokens: 7,
      reason: 'mask',
    } as const;
    const compaction = {
      type: 'compaction',
      trigger: 'auto',
      outcome: 'compacted',
      layers: [],
      messagesBefore: 8,
      messagesAfter: 6,
      tokensBefore: 900,
      tokensAfter: 300,
      success: true,
      breaker: 'closed',
      breakerEvents: [],
      request: 5,
      edits: [mask, { kind: 'replace', layer: 'auto', replacement }],
      seq: 2,
      turnId: null,
      agentName: 'lead',
      step: 1,
      atMs: 3,
    } as const;
    await store.append('s', 0, 0, [created(), compaction]);
    const columns = 'request, layer, kind, from_message, to_message, tokens_after';
    expect(openFile().prepare(`SELECT ${columns} FROM agent_context_edits`).all()).toEqual([
      { request: 5, layer: 'micro', kind: 'rewrite', from_message: 'm6', to_message: 'm6', tokens_after: 7 },
      { request: 5, layer: 'auto', kind: 'replace', from_message: 'm2', to_message: 'm4', tokens_after: 40 },
    ]);
  });

  it('is its user’s alone, as are its folder and its log', async () => {
    const nested = join(folder, 'data', 'sessions', 'agent.db');
    await openStore(nested).append('s', 0, 0, [created()]);
    const modeOf = (name: string) => statSync(name).mode & 0o777;
    expect(modeOf(join(folder, 'data'))).toBe(0o700);
    expect(modeOf(join(folder, 'data', 'sessions'))).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) expect(modeOf(nested + suffix)).toBe(0o600);
  });

  it('waits for the disk at every commit, writes ahead to a log, and checks references', () => {
    const database = openDatabase(path);
    opened.push(database);
    const pragmas = ['synchronous', 'journal_mode', 'foreign_keys'];
    const FULL = 2;
    expect(pragmas.map((pragma) => database.pragma(pragma, { simple: true }))).toEqual([FULL, 'wal', 1]);
  });

  it('keeps the body of a message once, in words and columns that SQL can read', async () => {
    await openStore().append('s', 0, 0, [created(), asked(2, 1), answered(3, 2)]);
    const file = openFile();
    expect(file.prepare('SELECT seq, epoch, type, data, message_id FROM agent_events').all()).toEqual([
      {
        seq: 1,
        epoch: 0,
        type: 'session_created',
        data: '{"title":"t","model":null,"metadata":{}}',
        message_id: null,
      },
      { seq: 2, epoch: 0, type: 'message', data: '{}', message_id: 'm1' },
      {
        seq: 3,
        epoch: 0,
        type: 'tool_result',
        data: '{"toolCallId":"call-1","name":"query_simbad","status":"ok","elapsedMs":5,"truncated":false}',
        message_id: 'm2',
      },
    ]);
    expect(file.prepare('SELECT * FROM agent_messages').all()).toMatchObject([
      {
        session_id: 's',
        id: 'm1',
        ordinal: 1,
        role: 'assistant',
        content: '让我查一下',
        thought: 'SIMBAD',
        tool_calls:
          '[{"id":"call-1","type":"function","function":{"name":"query_simbad","arguments":"{\\"id\\":\\"M31\\"}"}}]',
        tool_call_id: null,
        parts: null,
        token_count: 5,
        metadata: '{"ending":"tool-calls"}',
        raw_json: '{"provider":"x"}',
      },
      { id: 'm2', role: 'tool', content: 'M31 是星系', tool_call_id: 'call-1', parts: null, raw_json: null },
    ]);
  });
});

describe('while another process holds the write lock', () => {
  const held = async () => {
    const store = openStore();
    await store.append('s', 0, 0, [created()]);
    const other = openFile();
    other.exec('BEGIN IMMEDIATE');
    return { store, other };
  };

  it('an append waits for it, and reads go on', async () => {
    const { store, other } = await held();
    const append = store.append('s', 1, 0, [answered(2, 1)]);
    await untilTimerIsSet();
    clock.advance(500);
    expect(await store.readHead('s')).toEqual({ seq: 1, epoch: 0, messages: 0 });
    other.exec('COMMIT');
    clock.advance(20);
    expect(await append).toEqual({ kind: 'appended' });
  });

  it('an append, a claim and a renewal hear `busy` after two seconds, and nothing was written', async () => {
    const { store, other } = await held();
    const writes = Promise.allSettled([
      store.append('s', 1, 0, [answered(2, 1)]),
      store.claim('s', 'A', 0, 1_000),
      store.renew('s', 'A', 1, 0, 1_000),
    ]);
    await untilTimerIsSet();
    for (let waitedMs = 0; waitedMs < 2_000; waitedMs += 100) clock.advance(100);
    for (const outcome of await writes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'StoreError', kind: 'busy' } });
    }
    other.exec('COMMIT');
    expect(await store.readHead('s')).toEqual({ seq: 1, epoch: 0, messages: 0 });
    expect(await store.append('s', 1, 0, [answered(2, 1)])).toEqual({ kind: 'appended' });
  });

  async function untilTimerIsSet(): Promise<void> {
    while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  }
});

describe('a schema', () => {
  it('of a newer version is refused, and the file left as it was', async () => {
    await openStore().close();
    const file = new Database(path);
    file.pragma(`user_version = ${MIGRATIONS.length + 1}`);
    file.close();
    const before = readFileSync(path);
    expect(failureOf(() => openStore())).toMatchObject({ kind: 'newer_version' });
    expect(readFileSync(path)).toEqual(before);
  });

  it('is made once, also when a second store opens the file', async () => {
    const [first, second] = [openStore(), openStore()];
    await first.append('s', 0, 0, [created()]);
    expect(await second.readHead('s')).not.toBeNull();
    expect(openFile().pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
  });

  it('of which a step fails is not changed at all', () => {
    const file = openFile();
    file.exec('CREATE TABLE agent_leases (session_id TEXT)');
    file.close();
    expect(failureOf(() => openStore())).toMatchObject({ kind: 'failed' });
    const tables = openFile().prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
    expect(tables).toEqual(['agent_leases']);
  });
});

describe('a file that is none of ours', () => {
  it('is called corrupt and left as it was', () => {
    const bytes = Buffer.alloc(8_192, 'not a database ');
    writeFileSync(path, bytes);
    expect(failureOf(() => openStore())).toMatchObject({ kind: 'corrupt' });
    expect(readFileSync(path)).toEqual(bytes);
  });

  it('is called corrupt when its pages are torn', async () => {
    const store = openStore();
    await store.append('s', 0, 0, [created(), answered(2, 1)]);
    await store.close();
    writeFileSync(path, readFileSync(path).fill(0xff, 100, 4_096));
    expect(failureOf(() => openStore())).toMatchObject({ kind: 'corrupt' });
  });

  it('is called corrupt when an event names a message that is not stored', async () => {
    const store = openStore();
    await store.append('s', 0, 0, [created(), answered(2, 1)]);
    openFile().exec('DELETE FROM agent_messages');
    await expect(store.readEvents('s', 0, 10)).rejects.toMatchObject({ name: 'StoreError', kind: 'corrupt' });
  });

  it('is called corrupt when what should be JSON is not', async () => {
    const store = openStore();
    await store.append('s', 0, 0, [created()]);
    openFile().exec(`UPDATE agent_events SET data = '{'`);
    await expect(store.readEvents('s', 0, 10)).rejects.toMatchObject({ name: 'StoreError', kind: 'corrupt' });
  });
});

describe('a place that cannot be written', () => {
  it('is called read-only when the file is', async () => {
    await openStore().close();
    chmodSync(path, 0o444);
    chmodSync(folder, 0o755);
    expect(asNobody(() => failureOf(() => openStore()))).toMatchObject({ kind: 'read_only' });
  });

  it('is called read-only when the folder is, and no file is made', () => {
    chmodSync(folder, 0o555);
    expect(asNobody(() => failureOf(() => openStore()))).toMatchObject({ kind: 'read_only' });
    expect(existsSync(path)).toBe(false);
  });

  it('has failed when it is a folder', () => {
    mkdirSync(path);
    expect(failureOf(() => openStore())).toMatchObject({ kind: 'failed' });
  });
});

/** Permissions mean nothing to the superuser: as somebody else, where the tests run as root. */
function asNobody<T>(use: () => T): T {
  if (process.geteuid?.() !== 0) return use();
  process.seteuid?.(65_534);
  try {
    return use();
  } finally {
    process.seteuid?.(0);
  }
}

function failureOf(use: () => unknown): StoreError {
  try {
    use();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return error as StoreError;
  }
  throw new Error('it did not fail');
}

const stamp = (seq: number) => ({ seq, turnId: null, agentName: 'lead', step: 0, atMs: seq });

const messageBase = (ordinal: number) => ({
  id: messageId(ordinal),
  agentName: 'lead',
  turnIndex: 1,
  step: 0,
  tokens: 5,
  createdAtMs: 0,
});

function created(): TurnEvent {
  return { ...stamp(1), type: 'session-created', title: 't', model: null, metadata: {} };
}

function asked(seq: number, ordinal: number): TurnEvent {
  return {
    ...stamp(seq),
    type: 'message',
    message: {
      ...messageBase(ordinal),
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'SIMBAD' },
        { type: 'text', text: '让我查一下' },
        { type: 'tool-call', toolCallId: 'call-1', name: 'query_simbad', arguments: '{"id":"M31"}' },
      ],
      ending: 'tool-calls',
      raw: { provider: 'x' },
    },
  };
}

function answered(seq: number, ordinal: number): TurnEvent {
  const call = { toolCallId: 'call-1', name: 'query_simbad', status: 'ok' } as const;
  return {
    ...stamp(seq),
    type: 'tool-result',
    ...call,
    elapsedMs: 5,
    truncated: false,
    message: {
      ...messageBase(ordinal),
      role: 'tool',
      parts: [{ type: 'tool-result', ...call, text: 'M31 是星系' }],
    },
  };
}
