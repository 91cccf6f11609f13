/** Makes a broken history valid, once and visibly (context.md 5, Safe cut points; recovery.md, `repair_history`). */
import {
  type AssistantMessage,
  type Message,
  type MessageId,
  messageId,
  type Part,
  type SystemMessage,
  type ToolCallPart,
  type ToolMessage,
  textOf,
  type UserMessage,
} from './message.ts';

/** One thing that was done. `messageId` names a message of the repaired history. */
export type Repair =
  /** A call had no result: one that says so stands in its place. */
  | { readonly kind: 'result-added'; readonly messageId: MessageId; readonly toolCallId: string }
  /** A result stood elsewhere: it follows its call now, in call order. */
  | { readonly kind: 'result-moved'; readonly messageId: MessageId; readonly toolCallId: string }
  /** Left out of the history and given back here, whole. */
  | { readonly kind: 'set-aside'; readonly message: Message; readonly why: SetAside }
  /** Two calls had one id, or one had none; its result was renamed with it. */
  | {
      readonly kind: 'call-renamed';
      readonly messageId: MessageId;
      readonly from: string;
      readonly to: string;
    }
  /** Arguments that are no JSON object stand in one, whole, as `unparsed`. */
  | { readonly kind: 'arguments-wrapped'; readonly messageId: MessageId; readonly toolCallId: string }
  /** Halves of surrogate pairs became U+FFFD. */
  | { readonly kind: 'text-mended'; readonly messageId: MessageId }
  /** A second system message became a note. */
  | { readonly kind: 'system-demoted'; readonly messageId: MessageId }
  | { readonly kind: 'system-moved'; readonly messageId: MessageId }
  /** The history did not begin with words of a user: a note does now. */
  | { readonly kind: 'opening-added'; readonly messageId: MessageId };

export type SetAside = 'no-call' | 'second-result' | 'empty';

export type RepairTexts = {
  /** In the place of a result that is missing. */
  readonly missingResult: string;
  /** Before a history that begins with an answer. */
  readonly opening: string;
};

export type Repaired = { readonly messages: readonly Message[]; readonly repairs: readonly Repair[] };

/**
 * The result breaks no rule of `brokenRules`; a history that broke none comes back equal. Messages are numbered anew,
 * m1, m2 … `count` weighs the parts of what was made or changed.
 */
export function repairHistory(
  messages: Iterable<Message>,
  texts: RepairTexts,
  count: (parts: readonly Part[]) => number,
): Repaired {
  const intake = new Intake();
  for (const message of messages) intake.take(message);
  return intake.end(texts, count);
}

/** A call that waits for its result, or has it. */
type Slot = { readonly call: ToolCallPart; result: ToolMessage | null; moved: boolean };
type Entry = {
  readonly message: Exclude<Message, ToolMessage>;
  readonly slots: readonly Slot[];
  readonly notes: readonly Note[];
};
/** A repair that does not know the number of its message yet. */
type Note = Repair extends infer Kind
  ? Kind extends { readonly messageId: MessageId }
    ? Omit<Kind, 'messageId'>
    : never
  : never;

class Intake {
  #system: SystemMessage | null = null;
  #systemMoved = false;
  readonly #entries: Entry[] = [];
  readonly #setAside: Repair[] = [];
  readonly #callIds = new Set<string>();
  /** Original id → slots that wait for a result of this id, oldest first. */
  readonly #waiting = new Map<string, Slot[]>();
  #newestSlots: readonly Slot[] = [];

  take(message: Message): void {
    switch (message.role) {
      case 'system':
        this.#takeSystem(message);
        break;
      case 'user':
        this.#add(message, [], []);
        break;
      case 'assistant':
        this.#takeAssistant(message);
        break;
      case 'tool':
        this.#takeResult(message);
        break;
      default:
        message satisfies never;
    }
  }

  #add(message: Entry['message'], slots: readonly Slot[], notes: readonly Note[]): void {
    this.#entries.push({ message, slots, notes });
    this.#newestSlots = slots;
  }

  #takeSystem(message: SystemMessage): void {
    if (this.#system === null) {
      this.#system = message;
      this.#systemMoved = this.#entries.length > 0;
      return;
    }
    const { memoryTokens: _, ...rest } = message;
    const note: UserMessage = { ...rest, role: 'user', kind: 'recovery' };
    this.#add(note, [], [{ kind: 'system-demoted' }]);
  }

  #takeAssistant(message: AssistantMessage): void {
    const notes: Note[] = [];
    const slots: Slot[] = [];
    const parts = message.parts.map((part): typeof part => {
      if (part.type !== 'tool-call') return part;
      const call = this.#validCall(part, notes);
      const slot: Slot = { call, result: null, moved: false };
      slots.push(slot);
      this.#waiting.set(part.toolCallId, [...(this.#waiting.get(part.toolCallId) ?? []), slot]);
      return call;
    });
    if (slots.length === 0 && textOf(message).trim() === '') {
      this.#setAside.push({ kind: 'set-aside', message, why: 'empty' });
      return;
    }
    this.#add(notes.length === 0 ? message : { ...message, parts }, slots, notes);
  }

  #validCall(call: ToolCallPart, notes: Note[]): ToolCallPart {
    const toolCallId = this.#freeId(call.toolCallId);
    this.#callIds.add(toolCallId);
    if (toolCallId !== call.toolCallId) {
      notes.push({ kind: 'call-renamed', from: call.toolCallId, to: toolCallId });
    }
    if (isJsonObject(call.arguments)) {
      return toolCallId === call.toolCallId ? call : { ...call, toolCallId };
    }
    notes.push({ kind: 'arguments-wrapped', toolCallId });
    const text = call.arguments.toWellFormed();
    return { ...call, toolCallId, arguments: text.trim() === '' ? '{}' : JSON.stringify({ unparsed: text }) };
  }

  #freeId(wanted: string): string {
    const stem = wanted === '' ? 'call' : wanted;
    let id = wanted === '' ? `${stem}~1` : wanted;
    for (let nth = 2; this.#callIds.has(id); nth++) id = `${stem}~${nth}`;
    return id;
  }

  #takeResult(message: ToolMessage): void {
    const { toolCallId } = message.parts[0];
    const slot = this.#waiting.get(toolCallId)?.shift();
    if (slot === undefined) {
      const why = this.#waiting.has(toolCallId) ? 'second-result' : 'no-call';
      this.#setAside.push({ kind: 'set-aside', message, why });
      return;
    }
    slot.result = message;
    // In its place: behind the newest message, and every call before it in that message has its result.
    const place = this.#newestSlots.indexOf(slot);
    slot.moved = place === -1 || this.#newestSlots.slice(0, place).some(({ result }) => result === null);
  }

  end(texts: RepairTexts, count: (parts: readonly Part[]) => number): Repaired {
    const writer = new Writer(count);
    if (this.#system !== null) {
      writer.put(this.#system, this.#systemMoved ? [{ kind: 'system-moved' }] : []);
    }
    const first = this.#entries[0]?.message;
    if (first !== undefined && first.role !== 'user') {
      const { agentName, turnIndex, createdAtMs } = first;
      const parts = [{ type: 'text' as const, text: texts.opening }];
      const base = { id: first.id, agentName, turnIndex, step: 0, createdAtMs, tokens: count(parts) };
      writer.put({ ...base, role: 'user', kind: 'recovery', parts }, [{ kind: 'opening-added' }]);
    }
    for (const { message, slots, notes } of this.#entries) {
      writer.put(message, notes);
      for (const slot of slots) {
        if (slot.result === null)
          writer.put(missing(message, slot.call, texts.missingResult, count), added(slot));
        else writer.put(renamed(slot.result, slot.call), slot.moved ? moved(slot) : []);
      }
    }
    return { messages: writer.messages, repairs: [...writer.repairs, ...this.#setAside] };
  }
}

function added({ call }: Slot): readonly Note[] {
  return [{ kind: 'result-added', toolCallId: call.toolCallId }];
}

function moved({ call }: Slot): readonly Note[] {
  return [{ kind: 'result-moved', toolCallId: call.toolCallId }];
}

function renamed(result: ToolMessage, { toolCallId }: ToolCallPart): ToolMessage {
  const [part] = result.parts;
  return part.toolCallId === toolCallId ? result : { ...result, parts: [{ ...part, toolCallId }] };
}

function missing(
  { agentName, turnIndex, step, createdAtMs, id }: Entry['message'],
  { toolCallId, name }: ToolCallPart,
  text: string,
  count: (parts: readonly Part[]) => number,
): ToolMessage {
  const parts = [{ type: 'tool-result', toolCallId, name, status: 'interrupted', text }] as const;
  return { id, role: 'tool', agentName, turnIndex, step, createdAtMs, parts, tokens: count(parts) };
}

/** Numbers what it is given, and mends its text. */
class Writer {
  readonly messages: Message[] = [];
  readonly repairs: Repair[] = [];
  readonly #count: (parts: readonly Part[]) => number;

  constructor(count: (parts: readonly Part[]) => number) {
    this.#count = count;
  }

  put(message: Message, notes: readonly Note[]): void {
    const id = messageId(this.messages.length + 1);
    const parts = (message.parts as readonly Part[]).map(mended);
    const isMended = parts.some((part, index) => part !== message.parts[index]);
    const changed =
      isMended || notes.some(({ kind }) => kind === 'call-renamed' || kind === 'arguments-wrapped');
    this.messages.push(
      (changed ? { ...message, id, parts, tokens: this.#count(parts) } : numbered(message, id)) as Message,
    );
    for (const note of notes) this.repairs.push({ ...note, messageId: id } as Repair);
    if (isMended) this.repairs.push({ kind: 'text-mended', messageId: id });
  }
}

function numbered(message: Message, id: MessageId): Message {
  return message.id === id ? message : { ...message, id };
}

function mended(part: Part): Part {
  if (part.type === 'tool-call') {
    return part.arguments.isWellFormed() ? part : { ...part, arguments: part.arguments.toWellFormed() };
  }
  return part.text.isWellFormed() ? part : { ...part, text: part.text.toWellFormed() };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
