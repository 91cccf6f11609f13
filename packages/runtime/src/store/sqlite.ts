/** The store on one SQLite file: one connection, durable commits shared by whoever writes at the same time. */
import { ordinalOf, type ToolMessage } from '@astroresearch/core';
import type { Clock } from '../ports.ts';
import { checkEvents } from './append-rules.ts';
import { toTurnEvent } from './event-rows.ts';
import { GroupCommit } from './group-commit.ts';
import { readCursor, toPage } from './list-cursor.ts';
import { type MessageRow, toMessage } from './message-rows.ts';
import { noSuchSession, storeIsClosed } from './refusals.ts';
import { toSessionRow, toTask } from './session-rows.ts';
import { performAppend, prepareAppend } from './sqlite-append.ts';
import { concernsStatementAlone, toStoreError } from './sqlite-errors.ts';
import { containing, findMessageRows } from './sqlite-find.ts';
import { openDatabase } from './sqlite-open.ts';
import { prepareStatements, type SpanParameters } from './sqlite-statements.ts';
import type { ClaimOutcome, MessageSpan, Store } from './store.ts';

/** Opens `path`; makes the file and its folders, for this user alone, where there are none. Throws `StoreError`. */
export function openSqliteStore({ path, clock }: { readonly path: string; readonly clock: Clock }): Store {
  const database = openDatabase(path);
  const statements = prepareStatements(database);
  const inTransaction = database.transaction((work: () => unknown) => work());
  const writes = new GroupCommit(
    {
      commit: (work) => void inTransaction.immediate(work),
      isolate: <T>(work: () => T) => inTransaction(work) as T,
      isIsolated: concernsStatementAlone,
      toStoreError: (error) => toStoreError(error, path),
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
    const claimed = statements.claim.get(owner, nowMs + ttlMs, sessionId, nowMs);
    if (claimed !== undefined) return { kind: 'claimed', epoch: claimed.epoch };
    const held = statements.readLease.get(sessionId, sessionId);
    if (held === undefined) throw noSuchSession(sessionId);
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
        const head = statements.readHead.get(sessionId);
        if (head === undefined || head.deleted === 1) return null;
        return { seq: head.last_seq, epoch: head.epoch, messages: head.last_message };
      }),

    readSession: (sessionId) =>
      guarded(() => {
        const record = statements.readSession.get(sessionId);
        return record === undefined ? null : toSessionRow(record);
      }),

    listSessions: ({ limit, cursor, query }) =>
      guarded(() => {
        const from = readCursor(cursor);
        if (from === null) return { items: [], nextCursor: null };
        const { createdAtMs, sessionId } = from;
        const pattern = containing(query ?? '');
        const records =
          query === null
            ? statements.listSessions.all(createdAtMs, sessionId, limit + 1)
            : statements.searchSessions.all(createdAtMs, sessionId, pattern, pattern, limit + 1);
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
        writes.write(() => statements.renew.run(nowMs + ttlMs, sessionId, owner, epoch).changes === 1),
      ),

    release: (sessionId, owner, epoch) =>
      guarded(() => writes.write(() => void statements.release.run(sessionId, owner, epoch))),

    async close() {
      await writes.close();
      database.close();
    },
  };
}

function spanParameters(sessionId: string, { agentName, from, to, limit }: MessageSpan): SpanParameters {
  return [sessionId, ordinalOf(from), ordinalOf(to), agentName, agentName, sessionId, limit];
}
