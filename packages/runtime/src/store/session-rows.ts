/** Rows of `agent_sessions`, `agent_tasks` and `agent_leases` as the port shows them. */
import type { Task } from '@astroresearch/core';
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
};

export type HeadRecord = {
  readonly last_seq: number;
  readonly last_message: number;
  /** 0 or 1. */
  readonly deleted: number;
  readonly epoch: number;
};

export type TaskRecord = {
  readonly task_id: string;
  readonly content: string;
  readonly status: Task['status'];
  readonly blocked_by: string;
};

export type LeaseRecord = { readonly owner: string | null; readonly expires_at: number };

export function toSessionRow(record: SessionRecord): SessionRow {
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

export function toTask(record: TaskRecord): Task {
  return {
    id: record.task_id,
    content: record.content,
    status: record.status,
    blockedBy: JSON.parse(record.blocked_by),
  };
}
