/** `Message` ⇄ row of `agent_messages`: columns that people and SQL read, from which the message comes back exactly. */
import {
  type Message,
  ordinalOf,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '@astroresearch/core';
import { type PartTexts, readLayout, textsOf, writeLayout } from './message-layout.ts';
import { isReadable, readable } from './readable-text.ts';
import { sealed, verified } from './row-hash.ts';

export type MessageRow = {
  readonly session_id: string;
  readonly id: Message['id'];
  readonly ordinal: number;
  readonly agent_name: string;
  readonly turn_index: number;
  readonly step: number;
  readonly role: Message['role'];
  /** Visible text, as readable text; null where the message has no text part. */
  readonly content: string | null;
  readonly thought: string | null;
  /** JSON, in the form of the chat-completions API. */
  readonly tool_calls: string | null;
  readonly tool_call_id: string | null;
  /** JSON of what the columns do not tell of the parts (message-layout.ts); null for most messages. */
  readonly parts: string | null;
  readonly token_count: number;
  /** JSON: the fields that only this role has; of a tool result also its name and status. */
  readonly metadata: string;
  readonly raw_json: string | null;
  readonly created_at: number;
  readonly hash: string;
};

type StoredCall = {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
};

export function toMessageRow(sessionId: string, message: Message): MessageRow {
  const { id, agentName, turnIndex, step, tokens, createdAtMs, role, parts, ...own } = message;
  const { raw, ...metadata } = { raw: undefined, ...own };
  const base = {
    session_id: sessionId,
    id,
    ordinal: ordinalOf(id),
    agent_name: agentName,
    turn_index: turnIndex,
    step,
    role,
    token_count: tokens,
    raw_json: raw === undefined ? null : JSON.stringify(raw),
    created_at: createdAtMs,
  };
  const columns =
    role === 'tool'
      ? resultColumns(message.parts[0] as ToolResultPart, metadata)
      : textColumns(parts, metadata);
  return sealed('agent_messages', { ...base, ...columns });
}

/** Throws `StoreError` where the row is damaged. */
export function toMessage(row: MessageRow): Message {
  verified('agent_messages', row);
  const { name, status, ...own } = JSON.parse(row.metadata);
  return {
    id: row.id,
    agentName: row.agent_name,
    turnIndex: row.turn_index,
    step: row.step,
    tokens: row.token_count,
    createdAtMs: row.created_at,
    role: row.role,
    parts: row.role === 'tool' ? readResult(row, name, status) : readLayout(row.parts, storedTexts(row)),
    ...own,
    ...(row.raw_json === null ? {} : { raw: JSON.parse(row.raw_json) }),
  };
}

type ContentColumns = Pick<
  MessageRow,
  'content' | 'thought' | 'tool_calls' | 'tool_call_id' | 'parts' | 'metadata'
>;

function textColumns(parts: readonly Part[], metadata: object): ContentColumns {
  const texts = textsOf(parts);
  const { content, thought, calls } = texts;
  return {
    content: content === null ? null : readable(content),
    thought: thought === null ? null : readable(thought),
    tool_calls: calls.length === 0 ? null : JSON.stringify(calls.map(toStoredCall)),
    tool_call_id: null,
    parts: writeLayout(parts, texts),
    metadata: JSON.stringify(metadata),
  };
}

function resultColumns(part: ToolResultPart, metadata: object): ContentColumns {
  const { type: _, toolCallId, name, status, text, ...unknown } = part;
  const isPlain = isReadable(text) && isReadable(toolCallId) && Object.keys(unknown).length === 0;
  return {
    content: readable(text),
    thought: null,
    tool_calls: null,
    tool_call_id: readable(toolCallId),
    parts: isPlain ? null : JSON.stringify({ exact: [part] }),
    metadata: JSON.stringify({ ...metadata, name, status }),
  };
}

function readResult(row: MessageRow, name: string, status: ToolResultPart['status']): readonly Part[] {
  if (row.parts !== null) return readLayout(row.parts, storedTexts(row));
  const toolCallId = row.tool_call_id ?? '';
  return [{ type: 'tool-result', toolCallId, name, status, text: row.content ?? '' }];
}

function storedTexts(row: MessageRow): PartTexts {
  const calls: readonly StoredCall[] = row.tool_calls === null ? [] : JSON.parse(row.tool_calls);
  return { content: row.content, thought: row.thought, calls: calls.map(toCallPart) };
}

function toStoredCall({
  toolCallId,
  name,
  arguments: text,
}: ToolCallPart): StoredCall & { type: 'function' } {
  return { id: toolCallId, type: 'function', function: { name, arguments: text } };
}

function toCallPart({ id, function: { name, arguments: text } }: StoredCall): ToolCallPart {
  return { type: 'tool-call', toolCallId: id, name, arguments: text };
}
