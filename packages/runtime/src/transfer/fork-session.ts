/** A new session that begins like another one, up to a message; stored in one append: whole, or not at all. */
import {
  agentOf,
  closeInterrupted,
  evolve,
  type FinishAction,
  LEAD,
  type MessageId,
  messageId,
  NEW_SESSION,
  type NewEvent,
  ordinalOf,
  type RunningTurn,
  type TurnEvent,
} from '@astroresearch/core';
import type { AgentParts } from '../agent-parts.ts';
import type { ForkOutcome } from '../agent-types.ts';
import { readLog } from '../log/read-log.ts';
import { StoreError } from '../store/store.ts';
import { finishTurn } from '../turn/finish-turn.ts';

/** `upTo` is the last message of the fork; null: all of it. Rejects with `StoreError` alone. */
export async function forkSession(
  parts: AgentParts,
  sessionId: string,
  upTo: MessageId | null,
): Promise<ForkOutcome> {
  const events = eventsUpTo(await readLog(parts.store, sessionId), upTo);
  const [created] = events;
  if (created?.type !== 'session-created') return { kind: 'unknown-message' };
  const origin = { session_id: sessionId, ...(upTo === null ? {} : { message_id: upTo }) };
  const first: NewEvent = {
    ...created,
    metadata: { ...created.metadata, forked_from: origin },
    atMs: parts.clock.nowMs(),
  };
  // Keys of requests stay with the session in which they were asked.
  const copied = [first, ...events.slice(1).map(withoutRequest)];
  const all = [...copied, ...closingEvents(parts, events)];
  const forkId = parts.ids();
  const numbered = all.map((event, index) => ({ ...event, seq: index + 1 }) as TurnEvent);
  const outcome = await parts.store.append(forkId, 0, 0, numbered);
  const session = outcome.kind === 'appended' ? await parts.store.readSession(forkId) : null;
  if (session === null)
    throw new StoreError('failed', `The fork ${forkId} could not be stored (${outcome.kind}).`);
  return { kind: 'forked', session };
}

/** To the message's event; to the `done` behind it where the turn ended with it. Empty: there is no such message. */
function eventsUpTo(log: readonly TurnEvent[], upTo: MessageId | null): readonly TurnEvent[] {
  const kept = log.filter(({ type }) => type !== 'message-queued' && type !== 'queue-taken');
  if (upTo === null) return kept;
  const end = kept.findIndex((event) => 'message' in event && isMessage(event, upTo));
  if (end === -1) return [];
  const next = kept.findIndex(
    (event, index) => index > end && 'message' in event && typeof event.message === 'object',
  );
  const behind = kept.slice(end + 1, next === -1 ? undefined : next);
  const done = behind.findIndex(({ type }) => type === 'done');
  return kept.slice(0, end + 1 + (done === -1 ? 0 : done + 1));
}

function isMessage(event: TurnEvent, id: MessageId): boolean {
  return 'message' in event && typeof event.message === 'object' && event.message.id === id;
}

function withoutRequest(event: TurnEvent): NewEvent {
  if (event.type !== 'session') return event;
  const { request: _, ...kept } = event;
  return kept;
}

/** Turns that the cut left open rest: an answer completes them, open calls are interrupted. */
function closingEvents(parts: AgentParts, events: readonly TurnEvent[]): readonly NewEvent[] {
  const state = events.reduce(evolve, NEW_SESSION);
  let ordinal = 0;
  for (const event of events) {
    if ('message' in event && typeof event.message === 'object')
      ordinal = Math.max(ordinal, ordinalOf(event.message.id));
  }
  const log = { nextMessageId: () => messageId(++ordinal) };
  return Object.keys(state.agents).flatMap((agentName) => {
    const { turn } = agentOf(state, agentName);
    if (turn.phase === 'resting') return [];
    return finishTurn(closing(turn, agentName), turn, { ...parts, log, agentName });
  });
}

/** Cutting a turn short is no failure of it. */
function closing(turn: RunningTurn, agentName: string): FinishAction {
  const closed = closeInterrupted(turn);
  const status = turn.answer !== null && agentName === LEAD ? 'completed' : 'cancelled';
  return { ...closed, status };
}
