/** A tool call and its result share one item; the call's id joins them (runtime.md, Events). */
import type { ToolStatus } from '../message/message.ts';
import type { WireData } from '../turn/wire.ts';
import type { ToolItem } from './timeline-item.ts';
import { appendItem, originOf, replaceItem, type Timeline } from './timeline-state.ts';
import { numberField, recordField, textField, wordField } from './wire-fields.ts';

/** The calls that a message asks for, before any of them begins: a denied or skipped one never does. */
export function queueToolCalls(
  timeline: Timeline,
  data: WireData,
  calls: readonly Readonly<Record<string, unknown>>[],
): Timeline {
  let queued = timeline;
  for (const call of calls) {
    const wanted = recordField(call, 'function');
    const item = newItem(data, textField(call, 'id'), textField(wanted, 'name'));
    queued = appendCall(queued, { ...item, arguments: parsed(wanted.arguments) });
  }
  return queued;
}

export function beginToolCall(timeline: Timeline, data: WireData): Timeline {
  const waiting = waitingCall(timeline, data);
  const fields = { arguments: parsed(data.arguments), status: 'running', at: textField(data, 'ts') } as const;
  if (waiting !== null) return replaceItem(timeline, waiting.index, { ...waiting.item, ...fields });
  return appendCall(timeline, { ...newItem(data, callId(data), textField(data, 'name')), ...fields });
}

const RESULT_STATUSES = [
  'ok',
  'error',
  'denied',
  'skipped',
  'cancelled',
  'interrupted',
] as const satisfies readonly ToolStatus[];

/** A result whose call nobody saw gets an item of its own: nothing is hidden. */
export function finishToolCall(timeline: Timeline, data: WireData): Timeline {
  const fields = {
    status: wordField(data, 'status', RESULT_STATUSES, 'error'),
    preview: textField(data, 'output_preview'),
    elapsedMs: numberField(data, 'elapsed_ms'),
    ref: textField(data, 'ref') || null,
    truncated: data.truncated === true,
  };
  const waiting = waitingCall(timeline, data);
  if (waiting === null) {
    return appendItem(timeline, { ...newItem(data, callId(data), textField(data, 'name')), ...fields });
  }
  const calls = new Map(timeline.calls);
  calls.delete(waiting.key);
  return { ...replaceItem(timeline, waiting.index, { ...waiting.item, ...fields }), calls };
}

/** The turn is over: a call that still waits will get no result. */
export function closeToolCalls(timeline: Timeline): Timeline {
  let closed = timeline;
  for (const index of timeline.calls.values()) {
    const item = timeline.items.at(index);
    if (item?.type !== 'tool') continue;
    const status = item.status === 'queued' ? 'skipped' : 'interrupted';
    closed = replaceItem(closed, index, { ...item, status });
  }
  return timeline.calls.size === 0 ? closed : { ...closed, calls: new Map() };
}

function appendCall(timeline: Timeline, item: ToolItem): Timeline {
  const calls = new Map(timeline.calls).set(keyOf(item.agentName, item.toolCallId), timeline.items.length);
  return { ...appendItem(timeline, item), calls };
}

function newItem(data: WireData, toolCallId: string, name: string): ToolItem {
  return {
    ...originOf(data),
    type: 'tool',
    toolCallId,
    name,
    arguments: null,
    status: 'queued',
    preview: null,
    elapsedMs: null,
    ref: null,
    truncated: false,
  };
}

type WaitingCall = { readonly key: string; readonly index: number; readonly item: ToolItem };

function waitingCall(timeline: Timeline, data: WireData): WaitingCall | null {
  const key = keyOf(textField(data, 'agent_name'), callId(data));
  const index = timeline.calls.get(key);
  const item = index === undefined ? undefined : timeline.items.at(index);
  return index !== undefined && item?.type === 'tool' ? { key, index, item } : null;
}

function callId(data: WireData): string {
  return textField(data, 'tool_call_id') || textField(data, 'id');
}

function keyOf(agentName: string, toolCallId: string): string {
  return `${agentName}\n${toolCallId}`;
}

/** Models write arguments as JSON text; text that is none is shown as it came. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
