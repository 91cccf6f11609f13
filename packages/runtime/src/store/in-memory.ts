/** The store without a disk: for tests, demos and whatever need not outlive the process. */
import { ordinalOf, type TurnEvent } from '@astroresearch/core';
import { checkEvents, judgeAppend } from './append-rules.ts';
import { cutResultsIn, findIn, messagesIn } from './in-memory-find.ts';
import { MemorySession } from './in-memory-session.ts';
import { type ListPosition, readCursor, toPage } from './list-cursor.ts';
import { noSuchSession, refusedAppend, storeIsClosed } from './refusals.ts';
import type { SessionRow, Store } from './store.ts';

/** A new, empty store that lives as long as it is referred to. */
export function createInMemoryStore(): Store {
  const sessions = new Map<string, MemorySession>();
  let isClosed = false;

  function find(sessionId: string): MemorySession | null {
    if (isClosed) throw storeIsClosed();
    const session = sessions.get(sessionId);
    return session === undefined || session.deleted ? null : session;
  }

  function holds(sessionId: string, owner: string, epoch: number): MemorySession | null {
    const session = find(sessionId);
    return session?.lease.owner === owner && session.lease.epoch === epoch ? session : null;
  }

  return {
    async append(sessionId, expectedSeq, epoch, events) {
      if (isClosed) throw storeIsClosed();
      checkEvents(expectedSeq, events);
      const stored = sessions.get(sessionId) ?? null;
      const outcome = judgeAppend(stored?.head ?? null, expectedSeq, epoch);
      const [first] = events;
      if (outcome.kind !== 'appended' || first === undefined) return outcome;
      const session = stored ?? new MemorySession(sessionId, first.atMs);
      session.append(asWritten(events));
      sessions.set(sessionId, session);
      return outcome;
    },

    async readEvents(sessionId, afterSeq, limit) {
      const from = Math.max(0, afterSeq);
      return find(sessionId)?.events.slice(from, from + limit) ?? [];
    },

    async readHead(sessionId) {
      const session = find(sessionId);
      if (session === null) return null;
      const newest = session.messages.at(-1);
      const { seq, epoch } = session.head;
      return { seq, epoch, messages: newest === undefined ? 0 : ordinalOf(newest.id) };
    },

    async readSession(sessionId) {
      return find(sessionId)?.row ?? null;
    },

    async listSessions({ limit, cursor, query }) {
      if (isClosed) throw storeIsClosed();
      const from = readCursor(cursor);
      if (from === null) return { items: [], nextCursor: null };
      const rows = [...sessions.values()]
        .filter((session) => !session.deleted && isBehind(session.row, from))
        .filter((session) => query === null || session.contains(query))
        .map((session) => session.row)
        .sort(newestFirst);
      return toPage(rows, limit);
    },

    async runningSessions() {
      if (isClosed) throw storeIsClosed();
      const running = [...sessions.values()].filter(
        ({ deleted, row }) => !deleted && row.status === 'running',
      );
      return running.map(({ row }) => row.sessionId).sort();
    },

    async readMessages(sessionId, { agentName, after, limit }) {
      const afterOrdinal = after === null ? 0 : ordinalOf(after);
      const messages = find(sessionId)?.messages ?? [];
      return messages
        .filter((message) => ordinalOf(message.id) > afterOrdinal)
        .filter((message) => agentName === '*' || message.agentName === agentName)
        .slice(0, limit);
    },

    async readMessageRange(sessionId, span) {
      return messagesIn(find(sessionId)?.messages ?? [], span);
    },

    async findMessages(sessionId, search) {
      return findIn(find(sessionId)?.messages ?? [], search);
    },

    async readCutResults(sessionId, span) {
      return cutResultsIn(find(sessionId)?.messages ?? [], span);
    },

    async readTasks(sessionId) {
      return find(sessionId)?.tasks ?? [];
    },

    async claim(sessionId, owner, nowMs, ttlMs) {
      const session = find(sessionId);
      if (session === null) throw noSuchSession(sessionId);
      const { lease } = session;
      if (lease.owner !== null && lease.owner !== owner && lease.expiresAtMs > nowMs) {
        return { kind: 'held', owner: lease.owner, expiresAtMs: lease.expiresAtMs };
      }
      const epoch = lease.epoch + 1;
      session.lease = { owner, epoch, expiresAtMs: nowMs + ttlMs };
      return { kind: 'claimed', epoch };
    },

    async renew(sessionId, owner, epoch, nowMs, ttlMs) {
      const session = holds(sessionId, owner, epoch);
      if (session === null) return false;
      session.lease = { owner, epoch, expiresAtMs: nowMs + ttlMs };
      return true;
    },

    async release(sessionId, owner, epoch) {
      const session = holds(sessionId, owner, epoch);
      if (session !== null) session.lease = { owner: null, epoch, expiresAtMs: 0 };
    },

    async close() {
      isClosed = true;
    },
  };
}

/** What a store with a disk would read later: a copy, of JSON values alone. */
function asWritten(events: readonly TurnEvent[]): readonly TurnEvent[] {
  try {
    return JSON.parse(JSON.stringify(events));
  } catch (error) {
    throw refusedAppend(`an event is not JSON (${error instanceof Error ? error.message : error})`);
  }
}

function newestFirst(a: SessionRow, b: SessionRow): number {
  return b.createdAtMs - a.createdAtMs || (a.sessionId < b.sessionId ? 1 : -1);
}

function isBehind(row: SessionRow, from: ListPosition): boolean {
  if (row.createdAtMs !== from.createdAtMs) return row.createdAtMs < from.createdAtMs;
  return row.sessionId < from.sessionId;
}
