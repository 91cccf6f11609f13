/** The schema, as numbered steps forward; each runs once, in one transaction (runtime.md, Sessions; I23). */
import { HASHED_TABLES, hashOf } from './row-hash.ts';

/**
 * Step `n` leads from version `n - 1` to `n`. A step that was released is never edited. Plain SQL of SQLite and
 * PostgreSQL both; times are ms since 1970.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE agent_sessions (
    session_id TEXT NOT NULL PRIMARY KEY,
    title TEXT NOT NULL,
    summary TEXT,
    model TEXT,
    turn_count INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('idle', 'running')),
    metadata TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    last_seq BIGINT NOT NULL,
    last_message BIGINT NOT NULL,
    deleted INTEGER NOT NULL
  );
  CREATE INDEX agent_sessions_newest ON agent_sessions (created_at, session_id);

  CREATE TABLE agent_events (
    session_id TEXT NOT NULL REFERENCES agent_sessions (session_id),
    seq BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    type TEXT NOT NULL,
    turn_id TEXT,
    agent_name TEXT NOT NULL,
    step INTEGER NOT NULL,
    data TEXT NOT NULL,
    message_id TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, seq)
  );

  CREATE TABLE agent_messages (
    session_id TEXT NOT NULL REFERENCES agent_sessions (session_id),
    id TEXT NOT NULL,
    ordinal BIGINT NOT NULL,
    agent_name TEXT NOT NULL,
    turn_index INTEGER NOT NULL,
    step INTEGER NOT NULL,
    role TEXT NOT NULL,
    content TEXT,
    thought TEXT,
    tool_calls TEXT,
    tool_call_id TEXT,
    parts TEXT,
    token_count INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    raw_json TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, ordinal)
  );

  CREATE TABLE agent_tasks (
    session_id TEXT NOT NULL REFERENCES agent_sessions (session_id),
    position INTEGER NOT NULL,
    task_id TEXT NOT NULL,
    content TEXT NOT NULL,
    status TEXT NOT NULL,
    blocked_by TEXT NOT NULL,
    owner TEXT,
    PRIMARY KEY (session_id, position)
  );

  CREATE TABLE agent_leases (
    session_id TEXT NOT NULL PRIMARY KEY REFERENCES agent_sessions (session_id),
    owner TEXT,
    epoch BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
  );
  `,
  // Edits are facts of the log; this shows them as rows, without a second copy. PostgreSQL wants `jsonb_array_elements`.
  `
  CREATE VIEW agent_context_edits AS
  SELECT
    event.session_id,
    event.seq,
    event.agent_name,
    json_extract(event.data, '$.request') AS request,
    json_extract(edit.value, '$.layer') AS layer,
    json_extract(edit.value, '$.kind') AS kind,
    coalesce(json_extract(edit.value, '$.message'), json_extract(edit.value, '$.replacement.covers.from')) AS from_message,
    coalesce(json_extract(edit.value, '$.message'), json_extract(edit.value, '$.replacement.covers.to')) AS to_message,
    coalesce(json_extract(edit.value, '$.tokens'), json_extract(edit.value, '$.replacement.tokens')) AS tokens_after,
    edit.value AS edit,
    event.created_at
  FROM agent_events AS event, json_each(event.data, '$.edits') AS edit
  WHERE event.type = 'compaction';
  `,
  // `row_hash` is ours (row-hash.ts); the rows that are there get theirs here.
  HASHED_TABLES.map(
    (table) => `
  ALTER TABLE ${table} ADD COLUMN hash TEXT;
  UPDATE ${table} SET hash = ${hashOf(table)};
  `,
  ).join(''),
  // Candidates for the search over all sessions, by every three characters in a row; the words themselves stay in
  // their messages. PostgreSQL has `pg_trgm` for it.
  `
  CREATE VIRTUAL TABLE agent_search USING fts5 (
    text, session_id UNINDEXED, ordinal UNINDEXED,
    content = '', contentless_unindexed = 1, detail = none, tokenize = 'trigram case_sensitive 1'
  );
  CREATE VIRTUAL TABLE agent_search_terms USING fts5vocab (agent_search, instance);
  INSERT INTO agent_search (text, session_id, ordinal)
  SELECT lower(content) || char(10, 10), session_id, ordinal FROM agent_messages
  WHERE role IN ('user', 'assistant') AND content IS NOT NULL AND json_extract(metadata, '$.kind') IS NULL;
  `,
];
