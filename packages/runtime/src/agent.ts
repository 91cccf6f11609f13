/** The public face: `createAgent(parts)` gives sessions, turns, cancel and subscriptions over one store. */
import { agentOf, contextLimits, LEAD, requestAt, requestContext, turnTrajectory } from '@astroresearch/core';
import type { AgentParts } from './agent-parts.ts';
import type { Agent, CompactOutcome, ContextOutcome } from './agent-types.ts';
import { OpenSessions } from './log/open-sessions.ts';
import { readLog } from './log/read-log.ts';
import type { SessionLog } from './log/session-log.ts';
import { createRecall } from './recall/recall.ts';
import { InterruptedSessions } from './session/interrupted-sessions.ts';
import { Turns } from './session/turns.ts';
import { exportSession } from './transfer/export-session.ts';
import { forkSession } from './transfer/fork-session.ts';
import { importSession } from './transfer/import-session.ts';

/** A tool that has not settled by then, when the process stops, is left: its outcome is unknown to whoever goes on. */
const TOOL_GRACE_MS = 6_000;

export function createAgent(parts: AgentParts): Agent {
  const { store, clock, ids } = parts;
  const turns = new Turns(parts);
  const recall = createRecall(parts);
  const sessions = new OpenSessions(store, (sessionId) => turns.isRunning(sessionId));
  const interrupted = new InterruptedSessions({
    clock,
    running: () => store.runningSessions(),
    resume: async (sessionId) => (await withSession(sessionId, (log) => turns.resume(log))) ?? false,
    reportFault: parts.reportFault,
  });
  const sinceMs = clock.nowMs();
  const stamp = () => ({ turnId: null, agentName: LEAD, step: 0, atMs: clock.nowMs() });

  /** Runs `use` on the open session; null where there is none. */
  async function withSession<T>(sessionId: string, use: (log: SessionLog) => Promise<T>): Promise<T | null> {
    const log = await sessions.get(sessionId);
    return log === null || log.state.deleted ? null : use(log);
  }

  async function stopTurn(log: SessionLog): Promise<void> {
    await turns.cancel(log);
    await turns.ended(log.sessionId);
  }

  return {
    async createSession({ title = '', model, metadata = {} } = {}) {
      const sessionId = ids();
      await sessions.create(sessionId, {
        ...stamp(),
        type: 'session-created',
        title: title.toWellFormed(),
        model: model ?? null,
        metadata,
      });
      const row = await store.readSession(sessionId);
      if (row === null) throw new Error(`session ${sessionId} was stored and cannot be read`);
      return row;
    },

    readSession: (sessionId) => store.readSession(sessionId),
    listSessions: (options) => store.listSessions(options),

    renameSession(sessionId, title) {
      return withSession(sessionId, async (log) => {
        await log.append([{ ...stamp(), type: 'session-updated', title: title.toWellFormed() }]);
        return store.readSession(sessionId);
      });
    },

    deleteSession(sessionId) {
      return withSession(sessionId, async (log) => {
        await stopTurn(log);
        await log.append([{ ...stamp(), type: 'session-deleted' }]);
        log.endReaders();
        sessions.remove(sessionId);
        return true as const;
      });
    },

    async send(sessionId, request) {
      const outcome = await withSession(sessionId, (log) => turns.start(log, request));
      return outcome ?? { kind: 'unknown-session' };
    },

    compact(sessionId) {
      return withSession<CompactOutcome>(sessionId, async (log) => {
        const event = await turns.compact(log);
        return event === null ? { kind: 'turn-ended' } : { kind: 'compaction', event };
      });
    },

    cancel(sessionId) {
      return withSession(sessionId, async (log) => ((await turns.cancel(log)) ? 'cancelling' : 'idle'));
    },

    subscribe(sessionId, { afterSeq, signal }) {
      return withSession(sessionId, async (log) => {
        await log.catchUp();
        // A number from the future would hide everything that comes until then.
        return log.subscribe(Math.min(afterSeq, log.lastSeq), signal);
      });
    },

    readMessages(sessionId, options) {
      return withSession(sessionId, () => store.readMessages(sessionId, options));
    },

    recall(sessionId, request) {
      return withSession(sessionId, () => recall(sessionId, request));
    },

    readTasks(sessionId) {
      return withSession(sessionId, () => store.readTasks(sessionId));
    },

    readMetrics(sessionId) {
      return withSession(sessionId, async (log) => {
        await log.catchUp();
        return { ...log.metrics, breaker: agentOf(log.state, LEAD).breaker.state };
      });
    },

    readAllMetrics: () => ({ ...sessions.written.metrics, sinceMs }),

    readContext(sessionId, request) {
      return withSession<ContextOutcome>(sessionId, async () => {
        const found = requestAt(await readLog(store, sessionId), LEAD, request);
        if (found.kind === 'beyond') return found;
        return { kind: 'found', context: requestContext(found), limits: contextLimits(parts.settings) };
      });
    },

    readTrajectory(sessionId, turn) {
      return withSession(sessionId, async (log) => {
        const events = await readLog(store, sessionId);
        return turnTrajectory(events, turn ?? log.state.turnCount) ?? 'no-turn';
      });
    },

    exportSession(sessionId, { format, secrets = [] }) {
      const known = [...(parts.secrets ?? []), ...secrets];
      return exportSession({ store, clock, secrets: known }, sessionId, format);
    },

    importSession: (text, { format }) => importSession(parts, text, format),

    tools() {
      return parts.tools.map(({ name, summary, effect }) => ({ name, summary, effect }));
    },

    resumeInterrupted: () => interrupted.watch(),

    forkSession(sessionId, message) {
      return withSession(sessionId, () => forkSession(parts, sessionId, message));
    },

    async close() {
      interrupted.stop();
      await Promise.all(
        turns.sessions().map(async (sessionId) => {
          const log = await sessions.get(sessionId);
          if (log !== null) await turns.suspend(log, TOOL_GRACE_MS);
        }),
      );
      await sessions.endReaders();
      await store.close();
    },
  };
}
