/** Every SQL statement of the SQLite store, prepared once. */
import type Database from 'better-sqlite3';
import type { EventRow } from './event-rows.ts';
import type { MessageRow } from './message-rows.ts';
import type { HeadRecord, LeaseRecord, SessionRecord, TaskRecord } from './session-rows.ts';

export type Statements = {
  readonly readHead: Database.Statement<[string], HeadRecord>;
  readonly readSession: Database.Statement<[string], SessionRecord>;
  readonly listSessions: Database.Statement<[number, string, number], SessionRecord>;
  readonly searchSessions: Database.Statement<[number, string, string, string, number], SessionRecord>;
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
  readonly insertSession: Database.Statement<[string, string, string | null, string, number, number]>;
  readonly moveHead: Database.Statement<[number, number, number, number, string]>;
  readonly renameSession: Database.Statement<[string, string]>;
  readonly deleteSession: Database.Statement<[string]>;
  readonly beginTurn: Database.Statement<[number, string, string]>;
  readonly endTurn: Database.Statement<[string]>;
  readonly clearTasks: Database.Statement<[string]>;
  readonly insertTask: Database.Statement<[string, number, string, string, string, string, string]>;
  readonly claim: Database.Statement<[string, number, string, number], { readonly epoch: number }>;
  readonly readLease: Database.Statement<[string, string], LeaseRecord>;
  readonly renew: Database.Statement<[number, string, string, number]>;
  readonly release: Database.Statement<[string, string, number]>;
  /** The epoch grows, so that the owner is fenced; nobody can claim it again. */
  readonly endLease: Database.Statement<[string]>;
};

/** Session, first and last number, agent twice, session, limit. */
export type SpanParameters = [string, number, number, string, string, string, number];
type EventWithMessage = { readonly agent_events: EventRow; readonly agent_messages: Nullable<MessageRow> };
type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

const SESSION_COLUMNS = `session_id, title, summary, model, turn_count, status, metadata, created_at, updated_at`;

/** Newest first, behind a position. */
const LISTED = `deleted = 0 AND (created_at, session_id) < (?, ?)`;
const NEWEST_FIRST = `ORDER BY created_at DESC, session_id DESC LIMIT ?`;

const IS_READABLE = `EXISTS (SELECT 1 FROM agent_sessions s WHERE s.session_id = ? AND s.deleted = 0)`;

const IN_SPAN = `session_id = ? AND ordinal BETWEEN ? AND ? AND (agent_name = ? OR ? = '*') AND ${IS_READABLE}`;

export function prepareStatements(database: Database.Database): Statements {
  return {
    readHead: database.prepare(`
      SELECT s.last_seq, s.last_message, s.deleted, COALESCE(l.epoch, 0) AS epoch
      FROM agent_sessions s LEFT JOIN agent_leases l ON l.session_id = s.session_id
      WHERE s.session_id = ?`),
    readSession: database.prepare(
      `SELECT ${SESSION_COLUMNS} FROM agent_sessions WHERE session_id = ? AND deleted = 0`,
    ),
    listSessions: database.prepare(
      `SELECT ${SESSION_COLUMNS} FROM agent_sessions WHERE ${LISTED} ${NEWEST_FIRST}`,
    ),
    runningSessions: database.prepare(
      `SELECT session_id FROM agent_sessions WHERE status = 'running' AND deleted = 0 ORDER BY session_id`,
    ),
    searchSessions: database.prepare(`
      SELECT ${SESSION_COLUMNS} FROM agent_sessions s
      WHERE ${LISTED} AND (title LIKE ? ESCAPE '\\' OR EXISTS (
        SELECT 1 FROM agent_messages m
        WHERE m.session_id = s.session_id AND m.role <> 'system' AND m.content LIKE ? ESCAPE '\\'))
      ${NEWEST_FIRST}`),
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
      SELECT task_id, content, status, blocked_by FROM agent_tasks
      WHERE session_id = ? AND ${IS_READABLE} ORDER BY position`),

    insertEvent: database.prepare(`
      INSERT INTO agent_events
        (session_id, seq, epoch, type, turn_id, agent_name, step, data, message_id, created_at)
      VALUES
        (@session_id, @seq, @epoch, @type, @turn_id, @agent_name, @step, @data, @message_id, @created_at)`),
    insertMessage: database.prepare(`
      INSERT INTO agent_messages
        (session_id, id, ordinal, agent_name, turn_index, step, role, content, thought, tool_calls,
         tool_call_id, parts, token_count, metadata, raw_json, created_at)
      VALUES
        (@session_id, @id, @ordinal, @agent_name, @turn_index, @step, @role, @content, @thought, @tool_calls,
         @tool_call_id, @parts, @token_count, @metadata, @raw_json, @created_at)`),
    insertSession: database.prepare(`
      INSERT INTO agent_sessions
        (session_id, title, summary, model, turn_count, status, metadata, created_at, updated_at,
         last_seq, last_message, deleted)
      VALUES (?, ?, NULL, ?, 0, 'idle', ?, ?, ?, 0, 0, 0)`),
    moveHead: database.prepare(`
      UPDATE agent_sessions
      SET last_seq = ?, updated_at = ?, last_message = CASE WHEN ? > last_message THEN ? ELSE last_message END
      WHERE session_id = ?`),
    renameSession: database.prepare(`UPDATE agent_sessions SET title = ? WHERE session_id = ?`),
    deleteSession: database.prepare(`UPDATE agent_sessions SET deleted = 1 WHERE session_id = ?`),
    beginTurn: database.prepare(`
      UPDATE agent_sessions
      SET status = 'running', turn_count = ?, title = CASE WHEN title = '' THEN ? ELSE title END
      WHERE session_id = ?`),
    endTurn: database.prepare(`UPDATE agent_sessions SET status = 'idle' WHERE session_id = ?`),
    clearTasks: database.prepare(`DELETE FROM agent_tasks WHERE session_id = ?`),
    insertTask: database.prepare(`
      INSERT INTO agent_tasks (session_id, position, task_id, content, status, blocked_by, owner)
      VALUES (?, ?, ?, ?, ?, ?, ?)`),

    claim: database.prepare(`
      INSERT INTO agent_leases (session_id, owner, epoch, expires_at)
      SELECT session_id, ?, 1, ? FROM agent_sessions WHERE session_id = ? AND deleted = 0
      ON CONFLICT (session_id) DO UPDATE
      SET owner = excluded.owner, epoch = agent_leases.epoch + 1, expires_at = excluded.expires_at
      WHERE agent_leases.owner IS NULL OR agent_leases.owner = excluded.owner OR agent_leases.expires_at <= ?
      RETURNING epoch`),
    readLease: database.prepare(
      `SELECT owner, expires_at FROM agent_leases WHERE session_id = ? AND ${IS_READABLE}`,
    ),
    renew: database.prepare(
      `UPDATE agent_leases SET expires_at = ? WHERE session_id = ? AND owner = ? AND epoch = ?`,
    ),
    release: database.prepare(`
      UPDATE agent_leases SET owner = NULL, expires_at = 0
      WHERE session_id = ? AND owner = ? AND epoch = ?`),
    endLease: database.prepare(`
      INSERT INTO agent_leases (session_id, owner, epoch, expires_at) VALUES (?, NULL, 1, 0)
      ON CONFLICT (session_id) DO UPDATE SET owner = NULL, epoch = agent_leases.epoch + 1, expires_at = 0`),
  };
}
