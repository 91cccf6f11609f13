/** `Timeline`: what people see of a session, and the few steps that every part of its fold takes. */

import type { Task } from '../prompt/task.ts';
import type { DoneStatus } from '../turn/event.ts';
import type { WireData } from '../turn/wire.ts';
import { ChunkedList } from './chunked-list.ts';
import type { ItemOrigin, TimelineItem, TurnUsage } from './timeline-item.ts';
import { numberField, textField } from './wire-fields.ts';

/** Indices of the items that an agent's reply still grows; null for none. */
export type OpenStreams = { readonly thought: number | null; readonly answer: number | null };

/** The latest turn of the session's own agent. */
export type TurnProgress = {
  readonly turnId: string | null;
  readonly model: string;
  readonly startedAt: string;
  readonly step: number;
  readonly maxSteps: number;
  /** Size of the last request, tokens. */
  readonly contextTokens: number;
  /** Somebody asked it to stop. */
  readonly stopping: boolean;
  readonly usage: TurnUsage | null;
  /** Null while it runs. */
  readonly status: DoneStatus | null;
};

export type Timeline = {
  /** Number of the last durable event; 0 for none. Ask the server for what comes after it. */
  readonly lastSeq: number;
  readonly title: string;
  /** Id of the turn that runs now. */
  readonly running: string | null;
  readonly items: ChunkedList<TimelineItem>;
  readonly tasks: readonly Task[];
  readonly turn: TurnProgress | null;
  /** Tokens of all finished turns together. */
  readonly usage: TurnUsage;
  /** The fold's own notes: which items still grow (by agent), which calls still wait (by agent and id). */
  readonly streams: ReadonlyMap<string, OpenStreams>;
  readonly calls: ReadonlyMap<string, number>;
};

const NO_USAGE: TurnUsage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  spentTokens: 0,
  steps: 0,
  costUsd: 0,
};

export function emptyTimeline(): Timeline {
  return {
    lastSeq: 0,
    title: '',
    running: null,
    items: ChunkedList.empty(),
    tasks: [],
    turn: null,
    usage: NO_USAGE,
    streams: new Map(),
    calls: new Map(),
  };
}

export function originOf(data: WireData): ItemOrigin {
  return {
    agentName: textField(data, 'agent_name'),
    turnId: data.turn_id ?? null,
    step: numberField(data, 'step'),
    at: textField(data, 'ts'),
  };
}

/** Sub-agents are named `sub_…`; turns, steps and totals of the session are the lead's. */
export function isLead(data: WireData): boolean {
  return !textField(data, 'agent_name').startsWith('sub_');
}

export function appendItem(timeline: Timeline, item: TimelineItem): Timeline {
  return { ...timeline, items: timeline.items.append(item) };
}

export function replaceItem(timeline: Timeline, index: number, item: TimelineItem): Timeline {
  return { ...timeline, items: timeline.items.replace(index, item) };
}
