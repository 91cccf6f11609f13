/** The four kinds of message and the parts they are made of (context.md, Words). Messages never change once stored. */

/** `m` and the message's number in its session: id, recall ref and fork point in one. */
export type MessageId = `m${number}`;

export type MessageRange = { readonly from: MessageId; readonly to: MessageId };

export type TextPart = { readonly type: 'text'; readonly text: string };
/** The model's thinking. `signature` is a provider's own proof of it and travels back byte for byte. */
export type ReasoningPart = {
  readonly type: 'reasoning';
  readonly text: string;
  readonly signature?: string;
};
/** `arguments` is the JSON text as the model wrote it; `toolCallId` joins call, result, events and audit. */
export type ToolCallPart = {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments: string;
};
export type ToolResultPart = {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly name: string;
  readonly status: ToolStatus;
  readonly text: string;
};

export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart;

export type ToolStatus = 'ok' | 'error' | 'denied' | 'skipped' | 'cancelled' | 'interrupted';

/** What a message that the engine wrote is for. Code recognises such a message by this, never by its text. */
export const SYNTHETIC_KINDS = [
  'task_state',
  'nudge',
  'notification',
  'placeholder',
  'summary',
  'identity',
  'restored_file',
  'recovery',
] as const;
export type SyntheticKind = (typeof SYNTHETIC_KINDS)[number];

type MessageBase = {
  readonly id: MessageId;
  readonly agentName: string;
  readonly turnIndex: number;
  readonly step: number;
  /** Counted once, when the message is made; uncalibrated (context.md 3). */
  readonly tokens: number;
  readonly createdAtMs: number;
  /** In a view: it shows only a part of the stored one. Never on a stored message. */
  readonly cut?: true;
};

export type SystemMessage = MessageBase & {
  readonly role: 'system';
  readonly parts: readonly TextPart[];
  /** Of `tokens`: what the memories in it weigh. */
  readonly memoryTokens?: number;
};
export type UserMessage = MessageBase & {
  readonly role: 'user';
  readonly parts: readonly TextPart[];
  /** Set when the engine, not a person, wrote the message. */
  readonly kind?: SyntheticKind;
  /** The stored messages that a summary or placeholder stands for, both ends included. */
  readonly covers?: MessageRange;
};
export type AssistantMessage = MessageBase & {
  readonly role: 'assistant';
  readonly parts: readonly (TextPart | ReasoningPart | ToolCallPart)[];
  /** Why the text ends where it does. `cancelled`: the user stopped it; `length`: the output limit did. */
  readonly ending: 'stop' | 'tool-calls' | 'length' | 'cancelled';
  /** The message as the provider gave it, so that nothing provider-specific is lost. */
  readonly raw?: unknown;
};
export type ToolMessage = MessageBase & {
  readonly role: 'tool';
  readonly parts: readonly [ToolResultPart];
  /** Where the whole output lies when `text` is only its head and tail. */
  readonly fullOutput?: { readonly sha256: string; readonly chars: number };
  /** In a view: the text is a placeholder for the stored one. Never on a stored message. */
  readonly masked?: true;
};

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
export type Role = Message['role'];

/** The text that a reader sees: text parts and tool results, joined; no reasoning. */
export function textOf(message: Message): string {
  let text = '';
  for (const part of message.parts as readonly Part[]) {
    if (part.type === 'text' || part.type === 'tool-result') text += part.text;
  }
  return text;
}

export function reasoningOf(message: Message): string {
  let text = '';
  for (const part of message.parts as readonly Part[]) if (part.type === 'reasoning') text += part.text;
  return text;
}

export function toolCallsOf(message: Message): readonly ToolCallPart[] {
  if (message.role !== 'assistant') return [];
  return message.parts.filter((part) => part.type === 'tool-call');
}

export function messageId(ordinal: number): MessageId {
  return `m${ordinal}`;
}

/** The stored messages that a message of a view stands for: a summary's range, else the message itself. */
export function coverage(message: Message): MessageRange {
  if (message.role === 'user' && message.covers !== undefined) return message.covers;
  return { from: message.id, to: message.id };
}

/** True when a person wrote it. */
export function isFromPerson(message: Message): message is UserMessage {
  return message.role === 'user' && message.kind === undefined;
}

/** The number in `m42`. */
export function ordinalOf(id: MessageId): number {
  return Number(id.slice(1));
}
