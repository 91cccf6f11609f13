/** The one place where events and messages take their names on the wire and in `agent_events` (api.md, Events). */
import { type Message, type Part, reasoningOf, textOf, toolCallsOf } from '../message/message.ts';
import type { EventOf, PublishedEvent, TurnEvent } from './event.ts';
import { isTransient } from './event.ts';

/** `{event, data}` of a server-sent event; `seq` is its id, null for a transient one. */
export type WireEvent = { readonly seq: number | null; readonly type: string; readonly data: WireData };
export type WireData = Readonly<Record<string, unknown>> & {
  readonly session_id: string;
  readonly turn_id: string | null;
  readonly agent_name: string;
  readonly step: number;
  readonly ts: string;
};

/** Most of a tool's output that an event shows; the whole of it is in the message. */
const PREVIEW_CHARS = 600;

export function toWire(sessionId: string, event: PublishedEvent): WireEvent {
  const common = {
    session_id: sessionId,
    turn_id: event.turnId,
    agent_name: event.agentName,
    step: event.step,
    ts: isoTime(event.atMs),
  };
  const type = event.type.replaceAll('-', '_');
  if (isTransient(event)) return { seq: null, type, data: { ...common, text: event.text } };
  return { seq: event.seq, type, data: { ...common, ...ownFields(event) } };
}

function ownFields(event: TurnEvent): Record<string, unknown> {
  switch (event.type) {
    case 'message':
      return messageFields(event.message);
    case 'tool-call':
      return {
        id: event.toolCallId,
        tool_call_id: event.toolCallId,
        name: event.name,
        arguments: event.arguments,
      };
    case 'tool-result':
      return {
        id: event.toolCallId,
        tool_call_id: event.toolCallId,
        name: event.name,
        status: event.status,
        output_preview: preview(textOf(event.message)),
        ref: event.message.id,
        elapsed_ms: event.elapsedMs,
        truncated: event.truncated,
        ...(event.unchanged === true ? { unchanged: true } : {}),
      };
    case 'model-switch':
      return { from: event.from, to: event.to, reason: event.reason };
    case 'recovery':
      return {
        kind: event.kind,
        action: event.action,
        ...(event.skipped === undefined ? {} : { skipped: event.skipped }),
      };
    case 'usage':
      return {
        prompt_tokens: event.usage.promptTokens,
        completion_tokens: event.usage.completionTokens,
        cached_tokens: event.usage.cachedTokens,
        reasoning_tokens: event.usage.reasoningTokens,
        total_tokens: event.usage.promptTokens + event.usage.completionTokens,
        spent_tokens: event.spentTokens,
        ...(event.costUsd === undefined ? {} : { cost_usd: event.costUsd }),
        ...(event.suspectedTruncation === true ? { suspected_truncation: true } : {}),
        steps: event.steps,
      };
    case 'attempt-failed':
      return { kind: event.failure.kind, message: event.failure.message };
    case 'tasks':
      return { tasks: event.tasks.map(({ blockedBy, ...task }) => ({ ...task, blocked_by: blockedBy })) };
    case 'compaction':
      return compactionFields(event);
    case 'session-created':
    case 'session-updated':
    case 'session-deleted':
    case 'session':
    case 'step':
    case 'cancel-requested':
    case 'compact-requested':
    case 'turn-resumed':
    case 'turn-suspended':
    case 'message-queued':
    case 'queue-taken':
    case 'nudge':
    case 'retry':
    case 'error':
    case 'done':
      return snakeKeys(event);
    default:
      return event satisfies never;
  }
}

function compactionFields(event: EventOf<'compaction'>): Record<string, unknown> {
  const { edits, breakerEvents: _, layers, summaryUsage: _usage, ...shown } = event;
  return {
    ...snakeKeys(shown),
    edits: edits.length,
    layers: layers.map(({ layer, edits: count, tokensBefore, tokensAfter }) => ({
      layer,
      edits: count,
      tokens_before: tokensBefore,
      tokens_after: tokensAfter,
    })),
  };
}

const ENVELOPE = new Set(['seq', 'turnId', 'agentName', 'step', 'atMs', 'type']);

function snakeKeys(event: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(event)) {
    if (!ENVELOPE.has(key)) fields[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value;
  }
  return fields;
}

/** Cut between code points, so that no half of a surrogate pair leaves the process. */
function preview(text: string): string {
  if (text.length <= PREVIEW_CHARS) return text;
  return `${text.slice(0, PREVIEW_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A stored message as the API shows it. */
export function messageToWire(sessionId: string, message: Message): Record<string, unknown> {
  return {
    id: message.id,
    session_id: sessionId,
    agent_name: message.agentName,
    turn_index: message.turnIndex,
    step: message.step,
    ...messageFields(message),
    token_count: message.tokens,
    created_at: isoTime(message.createdAtMs),
  };
}

function messageFields(message: Message): Record<string, unknown> {
  const thought = reasoningOf(message);
  const calls = toolCallsOf(message).map((call) => ({
    id: call.toolCallId,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return {
    message_id: message.id,
    role: message.role,
    content: textOf(message),
    ...(thought === '' ? {} : { thought }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(message.role === 'tool' ? toolFields(message.parts[0]) : {}),
    metadata: metadataOf(message),
  };
}

function toolFields(part: Part & { type: 'tool-result' }): Record<string, unknown> {
  return { tool_call_id: part.toolCallId, name: part.name, status: part.status };
}

function metadataOf(message: Message): Record<string, unknown> {
  switch (message.role) {
    case 'system':
      return {};
    case 'user':
      return message.kind === undefined ? {} : { kind: message.kind };
    case 'assistant':
      return { ending: message.ending };
    case 'tool':
      return message.fullOutput === undefined ? {} : { full_output: message.fullOutput };
    default:
      return message satisfies never;
  }
}

/** ISO 8601, UTC. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
