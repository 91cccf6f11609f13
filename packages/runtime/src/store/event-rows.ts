/** `TurnEvent` ⇄ row of `agent_events`. A message that an event carries lies in `agent_messages`, once. */
import type { Message, TurnEvent } from '@astroresearch/core';
import { type MessageRow, toMessage } from './message-rows.ts';
import { changeOf } from './projection.ts';
import { sealed, verified } from './row-hash.ts';
import { StoreError } from './store.ts';

export type EventRow = {
  readonly session_id: string;
  readonly seq: number;
  readonly epoch: number;
  /** In snake_case, as on the wire. */
  readonly type: string;
  readonly turn_id: string | null;
  readonly agent_name: string;
  readonly step: number;
  /** JSON of the event's own fields, named as in `TurnEvent`, without the message. */
  readonly data: string;
  readonly message_id: Message['id'] | null;
  readonly created_at: number;
  readonly hash: string;
};

export function toEventRow(sessionId: string, epoch: number, event: TurnEvent): EventRow {
  const { seq, turnId, agentName, step, atMs, type, ...own } = event;
  const change = changeOf(event);
  const carried = change?.kind === 'add-message' ? change.message.id : null;
  return sealed('agent_events', {
    session_id: sessionId,
    seq,
    epoch,
    type: type.replaceAll('-', '_'),
    turn_id: turnId,
    agent_name: agentName,
    step,
    data: JSON.stringify(carried === null ? own : { ...own, message: undefined }),
    message_id: carried,
    created_at: atMs,
  });
}

/** `message`: the row that `row.message_id` names. Throws `StoreError` where either is damaged. */
export function toTurnEvent(row: EventRow, message: MessageRow | null): TurnEvent {
  verified('agent_events', row);
  if (row.message_id !== null && message === null) {
    throw new StoreError(
      'corrupt',
      `Event ${row.seq} of session ${row.session_id} names message ${row.message_id}, which is not stored. Restore a copy of the database.`,
    );
  }
  return {
    seq: row.seq,
    turnId: row.turn_id,
    agentName: row.agent_name,
    step: row.step,
    atMs: row.created_at,
    type: row.type.replaceAll('_', '-'),
    ...JSON.parse(row.data),
    ...(message === null ? {} : { message: toMessage(message) }),
  };
}
