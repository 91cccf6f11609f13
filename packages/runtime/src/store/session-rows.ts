/** Rows of `agent_sessions`, `agent_tasks` and `agent_leases` as the port shows them. */
import type { Task } from '@astroresearch/core';
import { verified } from './row-hash.ts';
import type { SessionRow } from './store.ts';

export type SessionRecord = {
  readonly session_id: string;
  readonly title: string;
  readonly summary: string | null;
  readonly model: string | null;
  readonly turn_count: number;
  readonly status: SessionRow['status'];
  readonly metadata: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_seq: number;
  readonly last_message: number;
  /** 0 or 1. */
  readonly deleted: number;
  readonly hash: string;
};

export type TaskRecord = {
  readonly task_id: string;
  readonly content: string;
  readonly status: Task['status'];
  readonly blocked_by: string;
  readonly hash: string;
};

/** A whole row of `agent_tasks`. */
export type TaskRow = TaskRecord & {
  readonly session_id: string;
  readonly position: number;
  readonly owner: string;
};

export type LeaseRecord = {
  readonly owner: string | null;
  readonly epoch: number;
  readonly expires_at: number;
  readonly hash: string;
};

/** Throws `StoreError` where the record is damaged. */
export function toSessionRow(record: SessionRecord): SessionRow {
  verified('agent_sessions', record);
  return {
    sessionId: record.session_id,
    title: record.title,
    summary: record.summary,
    model: record.model,
    turnCount: record.turn_count,
    status: record.status,
    metadata: JSON.parse(record.metadata),
    createdAtMs: record.created_at,
    updatedAtMs: record.updated_at,
  };
}

/** Throws `StoreError` where the record is damaged. */
export function toTask(record: TaskRecord): Task {
  verified('agent_tasks', record);
  return {
    id: record.task_id,
    content: record.content,
    status: record.status,
    blockedBy: JSON.parse(record.blocked_by),
  };
}
