/** Sessions for the tests of recall: messages of any kind put straight into a store, long outputs kept beside it. */
import { type Message, messageId, type ToolCallPart, type TurnEvent } from '@astroresearch/core';
import { createOutputsInMemory } from '../outputs/outputs-in-memory.ts';
import { createInMemoryStore } from '../store/in-memory.ts';
import type { Store } from '../store/store.ts';
import { fitOutput } from '../tools/output.ts';
import { createRecall } from './recall.ts';
import type { RecallOutcome, RecallRequest } from './recall-types.ts';

export type Said = { readonly agentName?: string } & (
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
    }
  /** `cut`: only so many characters are stored in the message, the whole is kept elsewhere. */
  | { readonly role: 'tool'; readonly text: string; readonly name?: string; readonly cut?: number }
);

export type World = ReturnType<typeof createWorld>;

export function createWorld(store: Store = createInMemoryStore()) {
  const outputs = createOutputsInMemory();
  const recall = createRecall({ store, outputs });

  /** Stores a session; its messages are m1, m2 … in this order. */
  async function put(sessionId: string, said: readonly Said[]): Promise<readonly Message[]> {
    const messages = await Promise.all(said.map((one, index) => toMessage(one, index + 1)));
    const events: TurnEvent[] = [
      { ...stamp(1), type: 'session-created', title: 't', model: null, metadata: {} },
      ...messages.map((message, index): TurnEvent => toEvent(message, index + 2)),
    ];
    await store.append(sessionId, 0, 0, events);
    return messages;
  }

  async function toMessage(said: Said, ordinal: number): Promise<Message> {
    const { agentName = 'lead', text } = said;
    const base = { id: messageId(ordinal), agentName, turnIndex: 1, step: 1, tokens: 1, createdAtMs: 0 };
    switch (said.role) {
      case 'system':
      case 'user':
        return { ...base, role: said.role, parts: [{ type: 'text', text }] };
      case 'assistant': {
        const calls = (said.calls ?? []).map(
          (call, index): ToolCallPart => ({ type: 'tool-call', toolCallId: `${ordinal}-${index}`, ...call }),
        );
        const parts = text === '' ? calls : [{ type: 'text' as const, text }, ...calls];
        return { ...base, role: said.role, parts, ending: calls.length > 0 ? 'tool-calls' : 'stop' };
      }
      case 'tool': {
        const shown = said.cut === undefined ? text : fitOutput(text, said.cut, base.id, 'en').text;
        const kept = shown === text ? null : await outputs.save(text);
        const call = { toolCallId: `call-${ordinal}`, name: said.name ?? 'read_file', status: 'ok' } as const;
        return {
          ...base,
          role: said.role,
          parts: [{ type: 'tool-result', ...call, text: shown }],
          ...(kept === null ? {} : { fullOutput: { sha256: kept.sha256, chars: kept.chars } }),
        };
      }
      default:
        return said satisfies never;
    }
  }

  const ask = (request: Partial<RecallRequest>, sessionId = 's'): Promise<RecallOutcome> =>
    recall(sessionId, { agentName: 'lead', limitChars: 2_000, itemChars: 0, ...request });

  return { store, outputs, put, ask, recall };
}

/** The texts of everything that a recall gave. */
export function textsOf(outcome: RecallOutcome): readonly string[] {
  return outcome.kind === 'refused' ? [] : outcome.items.map(({ text }) => text);
}

export function refsOf(outcome: RecallOutcome): readonly string[] {
  return outcome.kind === 'refused' ? [] : outcome.items.map(({ ref }) => ref);
}

const stamp = (seq: number) => ({ seq, turnId: 'turn-1', agentName: 'lead', step: 0, atMs: 0 });

function toEvent(message: Message, seq: number): TurnEvent {
  if (message.role !== 'tool') return { ...stamp(seq), type: 'message', message };
  const { toolCallId, name, status } = message.parts[0];
  return {
    ...stamp(seq),
    type: 'tool-result',
    toolCallId,
    name,
    status,
    elapsedMs: 0,
    truncated: false,
    message,
  };
}
