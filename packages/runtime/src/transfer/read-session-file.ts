/** Our own session file → the events of its log, checked so that they can be stored and folded. */
import {
  EMPTY_METRICS,
  evolve,
  foldMetrics,
  NEW_SESSION,
  type NewEvent,
  ordinalOf,
  type SessionState,
  type TurnEvent,
} from '@astroresearch/core';
import { eventFault } from './event-shape.ts';
import { readJsonLines } from './json-lines.ts';
import { type EventLine, fromEventLine, SESSION_FORMAT, SESSION_VERSION } from './session-file.ts';
import type { Unreadable } from './transfer-types.ts';

export type ReadLog = {
  readonly kind: 'log';
  readonly events: readonly NewEvent[];
  /** After the last of them. */
  readonly state: SessionState;
  readonly lastOrdinal: number;
  readonly messages: number;
};

export function readSessionFile(text: string): ReadLog | Unreadable {
  const read = readJsonLines(text);
  if (read.kind === 'unreadable') return read;
  const [header, ...rest] = read.lines;
  if (header === undefined || header.value.format !== SESSION_FORMAT)
    return unreadable(1, `expected a header with "format":"${SESSION_FORMAT}"`);
  if (header.value.version !== SESSION_VERSION) {
    const known = `this program reads version ${SESSION_VERSION}`;
    return unreadable(header.line, `version ${JSON.stringify(header.value.version)}: ${known}; update it`);
  }
  if (header.value.events !== rest.length) {
    const last = rest.at(-1)?.line ?? header.line;
    return unreadable(
      last,
      `the header says ${header.value.events} events, ${rest.length} follow: is a part missing?`,
    );
  }
  if (rest.length === 0) return unreadable(header.line, 'no events follow');
  const events: NewEvent[] = [];
  let state = NEW_SESSION;
  let metrics = EMPTY_METRICS;
  let lastOrdinal = 0;
  let messages = 0;
  for (const [index, { line, value }] of rest.entries()) {
    const seq = index + 1;
    const fault = eventFault(value) ?? placeFault(value as EventLine, seq);
    if (fault !== null) return unreadable(line, fault);
    const event = fromEventLine(value as EventLine);
    if (event.type === 'message' || event.type === 'tool-result') {
      const ordinal = ordinalOf(event.message.id);
      if (ordinal <= lastOrdinal)
        return unreadable(line, `message ${event.message.id} follows m${lastOrdinal}`);
      lastOrdinal = ordinal;
      messages += 1;
    }
    try {
      const numbered = { ...event, seq } as TurnEvent;
      state = evolve(state, numbered);
      metrics = foldMetrics(metrics, numbered);
    } catch (error) {
      return unreadable(
        line,
        `cannot follow the lines before it (${error instanceof Error ? error.message : error})`,
      );
    }
    events.push(event);
  }
  return { kind: 'log', events, state, lastOrdinal, messages };
}

function placeFault({ seq, type }: EventLine, expected: number): string | null {
  if (seq !== expected) return `seq ${seq} where ${expected} follows`;
  if ((type === 'session_created') !== (expected === 1))
    return 'session_created is the first event, and no other';
  return null;
}

function unreadable(line: number, reason: string): Unreadable {
  return { kind: 'unreadable', line, reason };
}
