/** The store on one SQLite file: one connection, durable commits shared by whoever writes at the same time. */
import { ordinalOf, type ToolMessage } from '@astroresearch/core';
import type Database from 'better-sqlite3';
import type { Clock } from '../ports.ts';
import { checkEvents } from './append-rules.ts';
import { openMark } from './commit-mark.ts';
import { toTurnEvent } from './event-rows.ts';
import { countEvents } from './file-check.ts';
import { GroupCommit } from './group-commit.ts';
import { readCursor, toPage } from './list-cursor.ts';
import { type MessageRow, toMessage } from './message-rows.ts';
import { noSuchSession, storeIsClosed } from './refusals.ts';
import { toSessionRow, toTask } from './session-rows.ts';
import { performAppend, prepareAppend } from './sqlite-append.ts';
import { concernsStatementAlone, toStoreError } from './sqlite-errors.ts';
import { findMessageRows } from './sqlite-find.ts';
import { readLease, readSqliteHead } from './sqlite-head.ts';
import { closeDatabase, openDatabase } from './sqlite-open.ts';
import { prepareSessionSearch } from './sqlite-search.ts';
import { prepareStatements, type SpanParameters } from './sqlite-statements.ts';
import type { ClaimOutcome, MessageSpan, Store, StoreError } from './store.ts';

export type SqliteStoreOptions = {
  readonly path: string;
  readonly clock: Clock;
  /** Called once where the disk has failed or holds what was not written: nothing is written after that. */
  readonly failed?: (fault: StoreError) => void;
  /** Gives the open connection; throws `StoreError`. For tests of a disk that fails. */
  readonly connect?: (path: string) => Database.Database;
};

/** Opens `path`; makes the file and its folders, for this user alone, where there are none. Throws `StoreError`. */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  const { path, clock, failed = () => {}, connect = openDatabase } = options;
  const database = connect(path);
  const { statements, searchSessions, mark } = prepareStore(database, path);
  const inTransaction = database.transaction((work: () => unknown) => work());
  const writes = new GroupCommit(
    {
      commit(work) {
        inTransaction.immediate(work);
        mark.note(countEvents(database));
      },
      isolate: <T>(work: () => T) => inTransaction(work) as T,
      isIsolated: concernsStatementAlone,
      toStoreError: (error) => toStoreError(error, path),
      failed,
    },
    clock,
  );

  /** Async, so that a failure is a rejection and always a `StoreError`. */
  async function guarded<T>(use: () => T): Promise<Awaited<T>> {
    try {
      if (!database.open) throw storeIsClosed();
      return await use();
    } catch (error) {
      throw toStoreError(error, path);
    }
  }

  function claim(sessionId: string, owner: string, nowMs: number, ttlMs: number): ClaimOutcome {
    const head = readSqliteHead(statements, sessionId);
    if (head === null || head.deleted) throw noSuchSession(sessionId);
    const times = { expires: nowMs + ttlMs, now: nowMs };
    const claimed = statements.claim.get({ session: sessionId, owner, ...times });
    if (claimed !== undefined) return { kind: 'claimed', epoch: claimed.epoch };
    const held = readLease(statements, sessionId);
    if (held === null) throw noSuchSession(sessionId);
    return { kind: 'held', owner: held.owner ?? '', expiresAtMs: held.expires_at };
  }

  return {
    append: (sessionId, expectedSeq, epoch, events) =>
      guarded(() => {
        checkEvents(expectedSeq, events);
        const prepared = prepareAppend(sessionId, expectedSeq, epoch, events);
        return writes.write(() => performAppend(statements, prepared));
      }),

    readEvents: (sessionId, afterSeq, limit) =>
      guarded(() =>
        statements.readEvents
          .all(sessionId, afterSeq, sessionId, limit)
          .map(({ agent_events: event, agent_messages: message }) =>
            toTurnEvent(event, message.id === null ? null : (message as MessageRow)),
          ),
      ),

    readHead: (sessionId) =>
      guarded(() => {
        const head = readSqliteHead(statements, sessionId);
        return head === null || head.deleted
          ? null
          : { seq: head.seq, epoch: head.epoch, messages: head.messages };
      }),

    readSession: (sessionId) =>
      guarded(() => {
        const record = statements.readSession.get(sessionId);
        if (record === undefined) return null;
        const row = toSessionRow(record);
        return record.deleted === 1 ? null : row;
      }),

    listSessions: ({ limit, cursor, query }) =>
      guarded(() => {
        const from = readCursor(cursor);
        if (from === null) return { items: [], nextCursor: null };
        const records =
          query === null
            ? statements.listSessions.all(from.createdAtMs, from.sessionId, limit + 1)
            : searchSessions(query, from, limit + 1);
        return toPage(records.map(toSessionRow), limit);
      }),

    runningSessions: () =>
      guarded(() => statements.runningSessions.all().map(({ session_id }) => session_id)),

    readMessages: (sessionId, { agentName, after, limit }) =>
      guarded(() => {
        const afterOrdinal = after === null ? 0 : ordinalOf(after);
        const rows =
          agentName === '*'
            ? statements.readMessages.all(sessionId, afterOrdinal, sessionId, limit)
            : statements.readMessagesOf.all(sessionId, afterOrdinal, agentName, sessionId, limit);
        return rows.map(toMessage);
      }),

    readMessageRange: (sessionId, span) =>
      guarded(() => statements.readMessageRange.all(...spanParameters(sessionId, span)).map(toMessage)),

    findMessages: (sessionId, search) =>
      guarded(() => findMessageRows(database, sessionId, search).map(toMessage)),

    readCutResults: (sessionId, span) =>
      guarded(() =>
        statements.readCutResults
          .all(...spanParameters(sessionId, span))
          .map((row) => toMessage(row) as ToolMessage),
      ),

    readTasks: (sessionId) => guarded(() => statements.readTasks.all(sessionId, sessionId).map(toTask)),

    claim: (sessionId, owner, nowMs, ttlMs) =>
      guarded(() => writes.write(() => claim(sessionId, owner, nowMs, ttlMs))),

    renew: (sessionId, owner, epoch, nowMs, ttlMs) =>
      guarded(() =>
        writes.write(() => {
          const expires = nowMs + ttlMs;
          return statements.renew.run({ session: sessionId, owner, epoch, expires }).changes === 1;
        }),
      ),

    release: (sessionId, owner, epoch) =>
      guarded(() => writes.write(() => void statements.release.run({ session: sessionId, owner, epoch }))),

    async close() {
      await writes.close();
      if (database.open) mark.close();
      closeDatabase(database, path);
    },
  };
}

/** Throws `StoreError`, with the connection closed. */
function prepareStore(database: Database.Database, path: string) {
  try {
    const statements = prepareStatements(database);
    return { statements, searchSessions: prepareSessionSearch(database), mark: openMark(path) };
  } catch (error) {
    closeDatabase(database, path);
    throw toStoreError(error, path);
  }
}

function spanParameters(sessionId: string, { agentName, from, to, limit }: MessageSpan): SpanParameters {
  return [sessionId, ordinalOf(from), ordinalOf(to), agentName, agentName, sessionId, limit];
}
