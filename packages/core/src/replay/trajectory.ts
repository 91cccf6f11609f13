/** Reads recorded histories as messages (api.md, `compact` and `replay`): OpenAI chat messages as JSONL or array, `{messages}`, our own. */
import type { Message } from '../message/message.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import { type MessageShape, readMessage } from './recorded-message.ts';

export type ParsedTrajectory =
  | {
      readonly kind: 'parsed';
      readonly messages: readonly Message[];
      /** By the parts of a message: the value that it was read from, so that what we do not model is not lost. */
      readonly sources: ReadonlyMap<Message['parts'], unknown>;
    }
  /** `line` is 1-based. The reason says what was found and what is expected. */
  | { readonly kind: 'unreadable'; readonly line: number; readonly reason: string };

/** A value of the file, and the line it begins at as far as that is known. */
type Entry = { readonly value: unknown; readonly line: number };
type Entries =
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | Extract<ParsedTrajectory, { kind: 'unreadable' }>;

/**
 * The messages as recorded, broken pairs and all, numbered m1, m2 … in order and counted with `count`. Blank lines, a
 * byte-order mark and CRLF are skipped.
 */
export function parseTrajectory(text: string, count: TokenCounter): ParsedTrajectory {
  const found = readEntries(text.replace(/^\uFEFF/, ''));
  if (found.kind === 'unreadable') return found;
  if (found.entries.length === 0)
    return unreadable(1, 'no messages: expected one JSON object a line, or an array');
  const messages: Message[] = [];
  const sources = new Map<Message['parts'], unknown>();
  const shape: MessageShape = { toolNames: new Map(), turnIndex: 0, step: 0 };
  for (const [index, { value, line }] of found.entries.entries()) {
    const read = readMessage(value, index + 1, shape, count);
    if (typeof read === 'string') return unreadable(line, `message ${index + 1}: ${read}`);
    messages.push(read);
    sources.set(read.parts, value);
  }
  return { kind: 'parsed', messages, sources };
}

function unreadable(line: number, reason: string): Extract<ParsedTrajectory, { kind: 'unreadable' }> {
  return { kind: 'unreadable', line, reason };
}

function readEntries(text: string): Entries {
  const whole = parseJson(text);
  if (whole.kind === 'value') {
    const list = messageList(whole.value);
    if (list !== null) return { kind: 'entries', entries: list.map((value) => ({ value, line: 1 })) };
  } else if (text.trimStart().startsWith('[')) return unreadable(lineOf(text, whole.position), whole.reason);
  return readLines(text);
}

/** The messages of an array, or of an object that holds some; null: the value is no such thing. */
function messageList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages))
    return value.messages;
  return null;
}

function readLines(text: string): Entries {
  const entries: Entry[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    if (parsed.kind === 'fault') return unreadable(index + 1, parsed.reason);
    entries.push({ value: parsed.value, line: index + 1 });
  }
  return { kind: 'entries', entries };
}

type Parsed =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'fault'; readonly position: number; readonly reason: string };

function parseJson(text: string): Parsed {
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      kind: 'fault',
      position: Number(/position (\d+)/.exec(reason)?.[1] ?? 0),
      reason: `no JSON: ${reason}`,
    };
  }
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
