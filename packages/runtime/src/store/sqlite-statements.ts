/** Every SQL statement of the SQLite store, prepared once. */
import type Database from 'better-sqlite3';
import type { EventRow } from './event-rows.ts';
import type { MessageRow } from './message-rows.ts';
import { hashOf } from './row-hash.ts';
import type { LeaseRecord, SessionRecord, TaskRecord, TaskRow } from './session-rows.ts';

export type Statements = {
  /** Deleted ones too. */
  readonly readSession: Database.Statement<[string], SessionRecord>;
  readonly listSessions: Database.Statement<[number, string, number], SessionRecord>;
  readonly runningSessions: Database.Statement<[], { readonly session_id: string }>;
  readonly readEvents: Database.Statement<[string, number, string, number], EventWithMessage>;
  readonly readMessages: Database.Statement<[string, number, string, number], MessageRow>;
  readonly readMessagesOf: Database.Statement<[string, number, string, string, number], MessageRow>;
  readonly readMessageRange: Database.Statement<SpanParameters, MessageRow>;
  /** Newest first. */
  readonly readCutResults: Database.Statement<SpanParameters, MessageRow>;
  readonly readTasks: Database.Statement<[string, string], TaskRecord>;
  readonly insertEvent: Database.Statement<[EventRow]>;
  readonly insertMessage: Database.Statement<[MessageRow]>;
  /** Text, session, ordinal: for the search over all sessions. */
  readonly indexMessage: Database.Statement<[string, string, number]>;
  readonly insertSession: Database.Statement<[string, string, string | null, string, number, number]>;
  readonly moveHead: Database.Statement<[number, number, number, number, string]>;
  /** After all other changes of the session's row. */
  readonly sealSession: Database.Statement<[string]>;
  readonly renameSession: Database.Statement<[string, string]>;
  readonly deleteSession: Database.Statement<[string]>;
  readonly beginTurn: Database.Statement<[number, string, string]>;
  readonly endTurn: Database.Statement<[string]>;
  readonly clearTasks: Database.Statement<[string]>;
  readonly insertTask: Database.Statement<[TaskRow]>;
  readonly claim: Database.Statement<[ClaimParameters], { readonly epoch: number }>;
  readonly readLease: Database.Statement<[string], LeaseRecord>;
  readonly renew: Database.Statement<[LeaseParameters & { readonly expires: number }]>;
  readonly release: Database.Statement<[LeaseParameters]>;
  /** The epoch grows, so that the owner is fenced; nobody can claim it again. */
  readonly endLease: Database.Statement<[{ readonly session: string }]>;
};

/** Session, first and last number, agent twice, session, limit. */
export type SpanParameters = [string, number, number, string, string, string, number];
type ClaimParameters = {
  readonly session: string;
  readonly owner: string;
  readonly expires: number;
  readonly now: number;
};
type LeaseParameters = { readonly session: string; readonly owner: string; readonly epoch: number };
type EventWithMessage = { readonly agent_events: EventRow; readonly agent_messages: Nullable<MessageRow> };
type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

const IS_READABLE = `EXISTS (SELECT 1 FROM agent_sessions s WHERE s.session_id = ? AND s.deleted = 0)`;

const IN_SPAN = `session_id = ? AND ordinal BETWEEN ? AND ? AND (agent_name = ? OR ? = '*') AND ${IS_READABLE}`;

export function prepareStatements(database: Database.Database): Statements {
  return {
    runningSessions: database.prepare(
      `SELECT session_id FROM agent_sessions WHERE status = 'running' AND deleted = 0 ORDER BY session_id`,
    ),
    readSession: database.prepare(`SELECT * FROM agent_sessions WHERE session_id = ?`),
    listSessions: database.prepare(`
      SELECT * FROM agent_sessions
      WHERE deleted = 0 AND (created_at, session_id) < (?, ?)
      ORDER BY created_at DESC, session_id DESC LIMIT ?`),
    readEvents: database
      .prepare<[string, number, string, number], EventWithMessage>(`
        SELECT agent_events.*, agent_messages.*
        FROM agent_events LEFT JOIN agent_messages
          ON agent_messages.session_id = agent_events.session_id
          AND agent_messages.ordinal = CAST(substr(agent_events.message_id, 2) AS INTEGER)
        WHERE agent_events.session_id = ? AND agent_events.seq > ? AND ${IS_READABLE}
        ORDER BY agent_events.seq LIMIT ?`)
      .expand(),
    readMessages: database.prepare(`
      SELECT * FROM agent_messages
      WHERE session_id = ? AND ordinal > ? AND ${IS_READABLE} ORDER BY ordinal LIMIT ?`),
    readMessagesOf: database.prepare(`
      SELECT * FROM agent_messages
      WHERE session_id = ? AND ordinal > ? AND agent_name = ? AND ${IS_READABLE} ORDER BY ordinal LIMIT ?`),
    readMessageRange: database.prepare(
      `SELECT * FROM agent_messages WHERE ${IN_SPAN} ORDER BY ordinal LIMIT ?`,
    ),
    readCutResults: database.prepare(`
      SELECT * FROM agent_messages
      WHERE role = 'tool' AND json_extract(metadata, '$.fullOutput.sha256') IS NOT NULL AND ${IN_SPAN}
      ORDER BY ordinal DESC LIMIT ?`),
    readTasks: database.prepare(`
      SELECT * FROM agent_tasks WHERE session_id = ? AND ${IS_READABLE} ORDER BY position`),

    insertEvent: database.prepare(`
      INSERT INTO agent_events
        (session_id, seq, epoch, type, turn_id, agent_name, step, data, message_id, created_at, hash)
      VALUES
        (@session_id, @seq, @epoch, @type, @turn_id, @agent_name, @step, @data, @message_id, @created_at, @hash)`),
    insertMessage: database.prepare(`
      INSERT INTO agent_messages
        (session_id, id, ordinal, agent_name, turn_index, step, role, content, thought, tool_calls,
         tool_call_id, parts, token_count, metadata, raw_json, created_at, hash)
      VALUES
        (@session_id, @id, @ordinal, @agent_name, @turn_index, @step, @role, @content, @thought, @tool_calls,
         @tool_call_id, @parts, @token_count, @metadata, @raw_json, @created_at, @hash)`),
    // The two line ends make every character begin three: shorter queries find their end of a text too.
    indexMessage: database.prepare(
      `INSERT INTO agent_search (text, session_id, ordinal) VALUES (lower(?) || char(10, 10), ?, ?)`,
    ),
    insertSession: database.prepare(`
      INSERT INTO agent_sessions
        (session_id, title, summary, model, turn_count, status, metadata, created_at, updated_at,
         last_seq, last_message, deleted)
      VALUES (?, ?, NULL, ?, 0, 'idle', ?, ?, ?, 0, 0, 0)`),
    moveHead: database.prepare(`
      UPDATE agent_sessions
      SET last_seq = ?, updated_at = ?, last_message = CASE WHEN ? > last_message THEN ? ELSE last_message END
      WHERE session_id = ?`),
    sealSession: database.prepare(
      `UPDATE agent_sessions SET hash = ${hashOf('agent_sessions')} WHERE session_id = ?`,
    ),
    renameSession: database.prepare(`UPDATE agent_sessions SET title = ? WHERE session_id = ?`),
    deleteSession: database.prepare(`UPDATE agent_sessions SET deleted = 1 WHERE session_id = ?`),
    beginTurn: database.prepare(`
      UPDATE agent_sessions
      SET status = 'running', turn_count = ?, title = CASE WHEN title = '' THEN ? ELSE title END
      WHERE session_id = ?`),
    endTurn: database.prepare(`UPDATE agent_sessions SET status = 'idle' WHERE session_id = ?`),
    clearTasks: database.prepare(`DELETE FROM agent_tasks WHERE session_id = ?`),
    insertTask: database.prepare(`
      INSERT INTO agent_tasks (session_id, position, task_id, content, status, blocked_by, owner, hash)
      VALUES (@session_id, @position, @task_id, @content, @status, @blocked_by, @owner, @hash)`),

    claim: database.prepare(`
      INSERT INTO agent_leases (session_id, owner, epoch, expires_at, hash)
      SELECT session_id, @owner, 1, @expires, row_hash(session_id, @owner, 1, @expires)
      FROM agent_sessions WHERE session_id = @session AND deleted = 0
      ON CONFLICT (session_id) DO UPDATE
      SET owner = excluded.owner, epoch = agent_leases.epoch + 1, expires_at = excluded.expires_at,
        hash = row_hash(agent_leases.session_id, excluded.owner, agent_leases.epoch + 1, excluded.expires_at)
      WHERE agent_leases.owner IS NULL OR agent_leases.owner = excluded.owner OR agent_leases.expires_at <= @now
      RETURNING epoch`),
    readLease: database.prepare(`SELECT * FROM agent_leases WHERE session_id = ?`),
    renew: database.prepare(`
      UPDATE agent_leases SET expires_at = @expires, hash = row_hash(session_id, owner, epoch, @expires)
      WHERE session_id = @session AND owner = @owner AND epoch = @epoch`),
    release: database.prepare(`
      UPDATE agent_leases SET owner = NULL, expires_at = 0, hash = row_hash(session_id, NULL, epoch, 0)
      WHERE session_id = @session AND owner = @owner AND epoch = @epoch`),
    endLease: database.prepare(`
      INSERT INTO agent_leases (session_id, owner, epoch, expires_at, hash)
      VALUES (@session, NULL, 1, 0, row_hash(@session, NULL, 1, 0))
      ON CONFLICT (session_id) DO UPDATE
      SET owner = NULL, epoch = agent_leases.epoch + 1, expires_at = 0,
        hash = row_hash(agent_leases.session_id, NULL, agent_leases.epoch + 1, 0)`),
  };
}
