/** `append` on SQLite: rows made beforehand, then checked and written inside the transaction of a group. */
import type { TurnEvent } from '@astroresearch/core';
import { judgeAppend } from './append-rules.ts';
import { type EventRow, toEventRow } from './event-rows.ts';
import { toMessageRow } from './message-rows.ts';
import { changeOf, type RowChange } from './projection.ts';
import { sealed } from './row-hash.ts';
import { searchedText } from './searched-text.ts';
import { readSqliteHead } from './sqlite-head.ts';
import type { Statements } from './sqlite-statements.ts';
import type { AppendOutcome } from './store.ts';

/** Everything to write, turned into text before the write lock is taken. */
export type PreparedAppend = {
  readonly sessionId: string;
  readonly expectedSeq: number;
  readonly epoch: number;
  readonly rows: readonly PreparedEvent[];
};

type PreparedEvent = {
  readonly event: EventRow;
  /** Writes the event's change to the other tables. */
  readonly project: (statements: Statements) => void;
  /** The number of the message it carries, or 0. */
  readonly ordinal: number;
};

export function prepareAppend(
  sessionId: string,
  expectedSeq: number,
  epoch: number,
  events: readonly TurnEvent[],
): PreparedAppend {
  return {
    sessionId,
    expectedSeq,
    epoch,
    rows: events.map((event) => prepareEvent(sessionId, epoch, event)),
  };
}

/** Writes all rows, or none and says why. */
export function performAppend(statements: Statements, append: PreparedAppend): AppendOutcome {
  const { sessionId, expectedSeq, epoch, rows } = append;
  const outcome = judgeAppend(readSqliteHead(statements, sessionId), expectedSeq, epoch);
  const last = rows.at(-1)?.event;
  if (outcome.kind !== 'appended' || last === undefined) return outcome;
  let lastOrdinal = 0;
  for (const { event, project, ordinal } of rows) {
    project(statements);
    statements.insertEvent.run(event);
    lastOrdinal = Math.max(lastOrdinal, ordinal);
  }
  statements.moveHead.run(last.seq, last.created_at, lastOrdinal, lastOrdinal, sessionId);
  statements.sealSession.run(sessionId);
  return outcome;
}

function prepareEvent(sessionId: string, epoch: number, event: TurnEvent): PreparedEvent {
  const row = toEventRow(sessionId, epoch, event);
  const change = changeOf(event);
  if (change === null) return { event: row, project: () => {}, ordinal: 0 };
  if (change.kind === 'add-message') {
    const message = toMessageRow(sessionId, change.message);
    const text = searchedText(change.message);
    return {
      event: row,
      project: ({ insertMessage, indexMessage }) => {
        insertMessage.run(message);
        if (text !== null) indexMessage.run(text, sessionId, message.ordinal);
      },
      ordinal: message.ordinal,
    };
  }
  const project = prepareChange(sessionId, event.atMs, change);
  return { event: row, project, ordinal: 0 };
}

function prepareChange(
  sessionId: string,
  atMs: number,
  change: Exclude<RowChange, { kind: 'add-message' }>,
): (statements: Statements) => void {
  switch (change.kind) {
    case 'create-session': {
      const { title, model, metadata } = change;
      const json = JSON.stringify(metadata);
      return ({ insertSession }) => insertSession.run(sessionId, title, model, json, atMs, atMs);
    }
    case 'rename-session':
      return ({ renameSession }) => renameSession.run(change.title, sessionId);
    case 'delete-session':
      return ({ deleteSession, endLease }) => {
        deleteSession.run(sessionId);
        endLease.run({ session: sessionId });
      };
    case 'begin-turn':
      return ({ beginTurn }) => beginTurn.run(change.turnCount, change.title, sessionId);
    case 'end-turn':
      return ({ endTurn }) => endTurn.run(sessionId);
    case 'replace-tasks':
      return ({ clearTasks, insertTask }) => {
        clearTasks.run(sessionId);
        change.tasks.forEach(({ id, content, status, blockedBy }, position) => {
          const row = { session_id: sessionId, position, task_id: id, content, status };
          const blocked = JSON.stringify(blockedBy);
          insertTask.run(sealed('agent_tasks', { ...row, blocked_by: blocked, owner: change.owner }));
        });
      };
    default:
      return change satisfies never;
  }
}
