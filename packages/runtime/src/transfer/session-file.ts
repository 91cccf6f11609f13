/** Our own session file: a header line, then one line an event, named as in `agent_events`. */
import type { NewEvent, TurnEvent } from '@astroresearch/core';
import type { SessionRow } from '../store/store.ts';

export const SESSION_FORMAT = 'astroresearch-session';
/** Grows when a reader of an older file would misread a newer one. */
export const SESSION_VERSION = 1;

export type SessionHeader = {
  readonly format: typeof SESSION_FORMAT;
  readonly version: typeof SESSION_VERSION;
  /** ISO 8601, UTC. With `session.id` all that differs between two exports of the same log. */
  readonly exported_at: string;
  /** Lines that follow: a file that was cut off is noticed. */
  readonly events: number;
  /** For people; what counts stands in the events. */
  readonly session: {
    readonly id: string;
    readonly title: string;
    readonly model: string | null;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
};

/** `data`: the event's own fields, as `TurnEvent` names them, its message included whole. */
export type EventLine = {
  readonly seq: number;
  readonly type: string;
  readonly turn_id: string | null;
  readonly agent_name: string;
  readonly step: number;
  readonly at_ms: number;
  readonly data: Readonly<Record<string, unknown>>;
};

export function sessionHeader(row: SessionRow, events: number, exportedAtMs: number): SessionHeader {
  return {
    format: SESSION_FORMAT,
    version: SESSION_VERSION,
    exported_at: new Date(exportedAtMs).toISOString(),
    events,
    session: { id: row.sessionId, title: row.title, model: row.model, metadata: row.metadata },
  };
}

export function toEventLine({ seq, type, turnId, agentName, step, atMs, ...data }: TurnEvent): EventLine {
  const name = type.replaceAll('-', '_');
  return { seq, type: name, turn_id: turnId, agent_name: agentName, step, at_ms: atMs, data };
}

/** Of a line whose shape was checked (`event-shape.ts`). */
export function fromEventLine(line: EventLine): NewEvent {
  const { type, turn_id: turnId, agent_name: agentName, step, at_ms: atMs, data } = line;
  return { ...data, type: type.replaceAll('_', '-'), turnId, agentName, step, atMs } as NewEvent;
}
