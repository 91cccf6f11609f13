/** A model that repeats the replies of a recorded history, and says where a replay leaves it (recovery.md). */
import type { AssistantMessage, Message } from '@astroresearch/core';
import { toolCallsOf } from '@astroresearch/core';
import type { FinishReason, LanguageModel, ModelEvent, ModelRequest } from './language-model.ts';

export type RecordedModelOptions = {
  readonly defaultModel?: string;
  /**
   * `shape` (the default): each request must hold the messages that stood before the reply in the record, by role,
   * tool names and call ids; texts may differ. `none`: replies in order, whatever is asked.
   */
  readonly compare?: 'shape' | 'none';
};

/** Answers the nth request with the nth assistant message. Ends with a `bad_request` failure that names the place. */
export function createRecordedModel(
  messages: Iterable<Message>,
  options: RecordedModelOptions = {},
): LanguageModel {
  const record = [...messages];
  const places = record.flatMap((message, place) => (message.role === 'assistant' ? [place] : []));
  const compare = options.compare ?? 'shape';
  let asked = 0;

  return {
    provider: 'recorded',
    defaultModel: options.defaultModel ?? 'recorded-model',
    summarises: false,
    async *stream(request, signal) {
      if (signal.aborted) return;
      const nth = asked++;
      for (const event of eventsFor(request, nth)) {
        if (signal.aborted) return;
        yield event;
      }
    },
  };

  function eventsFor(request: ModelRequest, nth: number): readonly ModelEvent[] {
    const place = places[nth];
    const reply = place === undefined ? undefined : record[place];
    if (place === undefined || reply?.role !== 'assistant') {
      return [strayed(`The record has ${places.length} replies and this is request ${nth + 1}.`)];
    }
    const difference =
      compare === 'shape' ? firstDifference(record.slice(0, place), [...request.messages]) : null;
    return difference === null
      ? eventsOfMessage(reply)
      : [strayed(`Request ${nth + 1} differs from the record at ${difference}.`)];
  }
}

function eventsOfMessage(message: AssistantMessage): readonly ModelEvent[] {
  const events = message.parts.map((part): ModelEvent => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return part;
      case 'tool-call':
        return { type: 'tool-call', call: part };
      default:
        return part satisfies never;
    }
  });
  const raw = message.raw === undefined ? {} : { raw: message.raw };
  return [...events, { type: 'finish', reason: reasonOf(message), ...raw }];
}

function reasonOf(message: AssistantMessage): FinishReason {
  // What a user cut short ends there in a replay too.
  return message.ending === 'cancelled' ? 'stop' : message.ending;
}

/** Where `actual` leaves `expected`, in words; null: nowhere. */
function firstDifference(expected: readonly Message[], actual: readonly Message[]): string | null {
  const length = Math.max(expected.length, actual.length);
  for (let place = 0; place < length; place++) {
    const [recorded, asked] = [expected[place], actual[place]];
    const shapes = [recorded, asked].map((message) => (message === undefined ? 'nothing' : shapeOf(message)));
    if (shapes[0] === shapes[1]) continue;
    const id = recorded?.id ?? asked?.id;
    return `message ${place + 1} (${id}): the record has ${shapes[0]}, the request ${shapes[1]}`;
  }
  return null;
}

function shapeOf(message: Message): string {
  switch (message.role) {
    case 'system':
    case 'user':
      return message.role;
    case 'assistant': {
      const calls = toolCallsOf(message).map((call) => `${call.name}#${call.toolCallId}`);
      return calls.length === 0 ? 'assistant' : `assistant calling ${calls.join(', ')}`;
    }
    case 'tool':
      return `result of ${message.parts[0].name}#${message.parts[0].toolCallId}`;
    default:
      return message satisfies never;
  }
}

function strayed(message: string): ModelEvent {
  return {
    type: 'failure',
    failure: { kind: 'bad_request', message: `${message} Record the session anew.` },
  };
}
