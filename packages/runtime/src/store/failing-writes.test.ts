/** Every write of a scenario fails once, in each way: what was acknowledged is there afterwards, and the session goes on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEAD, type TurnEvent, textOf } from '@astroresearch/core';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../manual-clock.ts';
import { createTestAgent } from '../testing/test-agent.ts';
import { inspectDatabase } from './inspect-database.ts';
import { openSqliteStore } from './sqlite.ts';
import { openDatabase } from './sqlite-open.ts';
import { type Store, StoreError } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'astroresearch-writes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Counts statements that write, and the commits behind them; the one of number `failing` fails. */
function failingDriver(failing: number, code: string) {
  const driver = { writes: 0, open: openDatabase as (path: string) => Database.Database };
  const count = () => {
    driver.writes += 1;
    if (driver.writes === failing) throw new Database.SqliteError('generated', code);
  };
  const counted = (statement: Database.Statement): Database.Statement =>
    new Proxy(statement, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (target.readonly || (name !== 'run' && name !== 'get')) return member.bind(target);
        return (...values: unknown[]) => {
          count();
          return member.apply(target, values);
        };
      },
    });
  driver.open = (path) => {
    const database = openDatabase(path);
    return new Proxy(database, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (name === 'prepare') return (sql: string) => counted(target.prepare(sql));
        if (name === 'transaction')
          return (work: (...values: unknown[]) => unknown) => committed(target, work, count);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  };
  return driver;
}

/** The outer one also counts as a write where it commits; SQLite takes all of it back when that fails. */
function committed(
  database: Database.Database,
  work: (...values: unknown[]) => unknown,
  count: () => void,
): Database.Transaction {
  return database.transaction((...values: unknown[]) => {
    const isOuter = !isNested;
    isNested = true;
    try {
      const result = work(...values);
      if (isOuter) count();
      return result;
    } finally {
      if (isOuter) isNested = false;
    }
  });
}
let isNested = false;

/** Notes what was acknowledged. */
function acknowledging(store: Store): { store: Store; acknowledged: TurnEvent[] } {
  const acknowledged: TurnEvent[] = [];
  return {
    acknowledged,
    store: {
      ...store,
      async append(sessionId, expectedSeq, epoch, events) {
        const outcome = await store.append(sessionId, expectedSeq, epoch, events);
        if (outcome.kind === 'appended') acknowledged.push(...events);
        return outcome;
      },
    },
  };
}

const SCRIPT = [
  { toolCalls: [{ name: 'echo', arguments: '{"text":"one"}' }] },
  { text: 'first answer' },
  { text: 'second answer' },
] as const;

/** Two turns; gives up where storage says so. */
async function scenario(path: string, failing: number, code: string) {
  const driver = failingDriver(failing, code);
  const failed: StoreError[] = [];
  const opened = openSqliteStore({
    path,
    clock: createManualClock(0),
    connect: driver.open,
    failed: (fault) => failed.push(fault),
  });
  const { store, acknowledged } = acknowledging(opened);
  const { agent } = createTestAgent({ script: SCRIPT, parts: { store } });
  try {
    const { sessionId } = await agent.createSession();
    for (const message of ['one', 'two']) {
      const sent = await agent.send(sessionId, { message });
      if (sent.kind === 'started') await sent.ended;
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  await agent.close().catch(() => {});
  return { writes: driver.writes, acknowledged, failed };
}

describe('the n-th write', () => {
  it.each([
    ['a full disk', 'SQLITE_FULL', false],
    ['a broken disk', 'SQLITE_IOERR_FSYNC', true],
  ])('on %s fails alone', async (_, code, isLasting) => {
    const { writes } = await scenario(join(folder, 'whole.db'), 0, code);
    expect(writes).toBeGreaterThan(30);
    for (let failing = 1; failing <= writes; failing++) {
      const path = join(folder, `${failing}.db`);
      const { acknowledged, failed } = await scenario(path, failing, code);
      expect(failed).toHaveLength(isLasting ? 1 : 0);

      const reopened = openSqliteStore({ path, clock: createManualClock(0) });
      const [session] = (await reopened.listSessions({ limit: 9, cursor: null, query: null })).items;
      const sessionId = session?.sessionId ?? '';
      const log = await reopened.readEvents(sessionId, 0, 999);
      expect(log, `write ${failing}`).toEqual(JSON.parse(JSON.stringify(acknowledged)));
      expect(log.map(({ seq }) => seq)).toEqual(log.map((__, index) => index + 1));
      expect(inspectDatabase(path).faults).toEqual([]);

      if (session !== undefined) {
        const { agent, ask, clock } = createTestAgent({
          script: () => ({ text: 'it goes on' }),
          parts: { store: reopened, ids: createIds(failing) },
        });
        clock.advance(60_000);
        // A turn that the fault interrupted goes on first.
        const sent = await agent.send(sessionId, { message: 'still there?' });
        if (sent.kind === 'already-running') await sent.ended;
        if (sent.kind === 'started') await sent.ended;
        await ask(sessionId, 'and now?');
        const messages = await agent.readMessages(sessionId, { agentName: LEAD, after: null, limit: 99 });
        expect(textOf(messages?.at(-1) ?? never())).toBe('it goes on');
      }
      await reopened.close();
    }
  });
});

function createIds(salt: number): () => string {
  let made = 0;
  return () => {
    made += 1;
    return `later-${salt}-${made}`;
  };
}

function never(): never {
  throw new Error('no message');
}
