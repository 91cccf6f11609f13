/** One recorded message as ours: an OpenAI chat message, or a message of our own export. */
import {
  type AssistantMessage,
  type Message,
  messageId,
  type Part,
  SYNTHETIC_KINDS,
  type SyntheticKind,
  type TextPart,
  type ToolCallPart,
} from '../message/message.ts';
import { countMessage, type TokenCounter } from '../tokens/estimate.ts';

/** What is carried from message to message while reading. */
export type MessageShape = {
  /** Call id → tool name: OpenAI's results do not repeat it. */
  readonly toolNames: Map<string, string>;
  turnIndex: number;
  step: number;
};

type Fields = Readonly<Record<string, unknown>>;

/** The message, or in one phrase what is wrong with `value`. */
export function readMessage(
  value: unknown,
  ordinal: number,
  shape: MessageShape,
  count: TokenCounter,
): Message | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'expected an object with a role';
  const fields = value as Fields;
  const role = fields.role;
  if (typeof role !== 'string') return 'no role: expected system, user, assistant or tool';
  if (role === 'user') {
    shape.turnIndex++;
    shape.step = 0;
  } else if (role === 'assistant') shape.step++;
  const base = {
    id: messageId(ordinal),
    agentName: 'lead',
    turnIndex: shape.turnIndex,
    step: shape.step,
    createdAtMs: 0,
  };
  const own = Array.isArray(fields.parts);
  switch (role) {
    case 'system':
    case 'developer':
    case 'user': {
      const parts = own ? ownParts(fields) : textParts(fields.content);
      if (typeof parts === 'string') return parts;
      const texts = parts.filter((part) => part.type === 'text');
      const tokens = countMessage(texts, count) + IMAGE_TOKENS * imagesIn(fields.content);
      if (role !== 'user') return { ...base, role: 'system', parts: texts, tokens };
      const kind = own ? syntheticKind(fields.kind) : undefined;
      return { ...base, role, parts: texts, tokens, ...(kind === undefined ? {} : { kind }) };
    }
    case 'assistant': {
      const parts = own ? ownParts(fields) : assistantParts(fields);
      if (typeof parts === 'string') return parts;
      const kept = parts.filter((part) => part.type !== 'tool-result');
      const calls = kept.filter((part) => part.type === 'tool-call');
      for (const call of calls) shape.toolNames.set(call.toolCallId, call.name);
      const ending: AssistantMessage['ending'] = calls.length > 0 ? 'tool-calls' : 'stop';
      return { ...base, role, parts: kept, ending, tokens: countMessage(kept, count) };
    }
    case 'tool':
    case 'function': {
      const part = own ? ownResult(fields) : resultPart(fields, shape);
      if (typeof part === 'string') return part;
      return { ...base, role: 'tool', parts: [part], tokens: countMessage([part], count) };
    }
    default:
      return `unknown role "${role}": expected system, user, assistant or tool`;
  }
}

/** What an image costs, about, by the formulas of current providers: never the length of its encoding. */
const IMAGE_TOKENS = 1_000;

function imagesIn(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.filter((part: unknown) => /image/.test(String((part as Fields | null)?.type))).length;
}

/** Content is text, a list of parts, or nothing. What is not text is named, never copied: base64 is no text. */
function textParts(content: unknown): readonly TextPart[] | string {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return 'content: expected a text or a list of parts';
  return content.map((part: unknown): TextPart => {
    if (typeof part === 'string') return { type: 'text', text: part };
    const fields: Fields = typeof part === 'object' && part !== null ? (part as Fields) : {};
    if (typeof fields.text === 'string') return { type: 'text', text: fields.text };
    return { type: 'text', text: `[${typeof fields.type === 'string' ? fields.type : 'part'}]` };
  });
}

function assistantParts(fields: Fields): readonly Part[] | string {
  const texts = textParts(fields.content);
  if (typeof texts === 'string') return texts;
  const reasoning = fields.reasoning_content ?? fields.reasoning;
  const calls = fields.tool_calls ?? [];
  if (!Array.isArray(calls)) return 'tool_calls: expected a list';
  const parts: Part[] =
    typeof reasoning === 'string' && reasoning !== ''
      ? [{ type: 'reasoning', text: reasoning }, ...texts]
      : [...texts];
  for (const call of calls as readonly unknown[]) {
    const part = callPart(call);
    if (typeof part === 'string') return part;
    parts.push(part);
  }
  return parts;
}

function callPart(call: unknown): ToolCallPart | string {
  const fields = (typeof call === 'object' && call !== null ? call : {}) as Fields;
  const wanted = fields.function;
  const named = (typeof wanted === 'object' && wanted !== null ? wanted : fields) as Fields;
  if (typeof named.name !== 'string') return 'tool_calls: a call without a name';
  const given = named.arguments;
  return {
    type: 'tool-call',
    toolCallId: typeof fields.id === 'string' ? fields.id : '',
    name: named.name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
  };
}

function resultPart(
  fields: Fields,
  { toolNames }: MessageShape,
): Extract<Part, { type: 'tool-result' }> | string {
  const texts = textParts(fields.content);
  if (typeof texts === 'string') return texts;
  const id = fields.tool_call_id;
  const toolCallId = typeof id === 'string' ? id : '';
  const name = typeof fields.name === 'string' ? fields.name : (toolNames.get(toolCallId) ?? 'unknown');
  const text = texts.map((part) => part.text).join('\n');
  return { type: 'tool-result', toolCallId, name, status: 'ok', text };
}

/** Of a message that our engine wrote; undefined for a person's. */
function syntheticKind(value: unknown): SyntheticKind | undefined {
  return SYNTHETIC_KINDS.find((kind) => kind === value);
}

/** Parts as our own export writes them. */
function ownParts(fields: Fields): readonly Part[] | string {
  const parts = fields.parts as readonly unknown[];
  return parts.every(isPart) ? parts : 'parts: expected text, reasoning, tool-call or tool-result';
}

function ownResult(fields: Fields): Extract<Part, { type: 'tool-result' }> | string {
  const parts = ownParts(fields);
  if (typeof parts === 'string') return parts;
  const part = parts[0];
  return part?.type === 'tool-result' ? part : 'parts: a tool message holds one tool-result';
}

function isPart(value: unknown): value is Part {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Fields;
  switch (fields.type) {
    case 'text':
    case 'reasoning':
      return typeof fields.text === 'string';
    case 'tool-call':
      return ['toolCallId', 'name', 'arguments'].every((key) => typeof fields[key] === 'string');
    case 'tool-result':
      return ['toolCallId', 'name', 'status', 'text'].every((key) => typeof fields[key] === 'string');
    default:
      return false;
  }
}
