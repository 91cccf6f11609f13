/** Events of a Messages stream → model events. What is joined, counted and ended is the same as in the other dialect. */
import { REDACTED } from './anthropic-messages.ts';
import { asArray, asCount, asRecord, asText, type JsonRecord, parseJson } from './json-fields.ts';
import type { ModelEvent } from './language-model.ts';
import { createOpenAiReply, type DialectReply, type ReplyOptions } from './openai-chunks.ts';

const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
]);

/** Gateways that speak both dialects may end this one with the sign of the other. */
export function isMessageStop(data: string): boolean {
  if (data.trim() === '[DONE]') return true;
  return data.includes('message_stop') && asText(asRecord(parseJson(data))?.type) === 'message_stop';
}

export function createAnthropicReply(options: ReplyOptions): DialectReply {
  const reply = createOpenAiReply(options);
  let usage: JsonRecord = {};
  let signature = '';

  const delta = (fields: object) => reply.accept({ choices: [{ delta: fields }] });
  const finish = (reason: unknown) => {
    const said = asText(reason);
    const choices = said === null ? [] : [{ delta: {}, finish_reason: FINISH_REASONS.get(said) ?? said }];
    return reply.accept({ choices, usage: chatUsage(usage) });
  };

  const blockStarts = (index: number | null, block: JsonRecord | null): readonly ModelEvent[] => {
    switch (asText(block?.type)) {
      case 'text':
        return delta({ content: asText(block?.text) ?? '' });
      case 'thinking':
        return thought(asText(block?.thinking) ?? '', asText(block?.signature));
      case 'redacted_thinking':
        return [{ type: 'reasoning', text: '', signature: `${REDACTED}${asText(block?.data) ?? ''}` }];
      case 'tool_use': {
        const call = { name: asText(block?.name) ?? '', arguments: inputOf(block?.input) };
        return delta({ tool_calls: [{ index, id: asText(block?.id), function: call }] });
      }
      default:
        return [];
    }
  };

  const thought = (text: string, piece: string | null): readonly ModelEvent[] => {
    signature += piece ?? '';
    return text === '' ? [] : delta({ reasoning_content: text });
  };

  /** A signature may come in pieces and goes back byte for byte: it is given once, when its block is whole. */
  const blockEnds = (): readonly ModelEvent[] => {
    if (signature === '') return [];
    const whole = signature.toWellFormed();
    signature = '';
    return [{ type: 'reasoning', text: '', signature: whole }];
  };

  const blockGoesOn = (index: number | null, piece: JsonRecord | null): readonly ModelEvent[] => {
    switch (asText(piece?.type)) {
      case 'text_delta':
        return delta({ content: asText(piece?.text) ?? '' });
      case 'input_json_delta':
        return delta({ tool_calls: [{ index, function: { arguments: asText(piece?.partial_json) ?? '' } }] });
      case 'thinking_delta':
        return thought(asText(piece?.thinking) ?? '', null);
      case 'signature_delta':
        return thought('', asText(piece?.signature));
      default:
        return [];
    }
  };

  const whole = (message: JsonRecord): readonly ModelEvent[] => {
    usage = { ...usage, ...asRecord(message.usage) };
    const blocks = asArray(message.content).flatMap((block, index) => [
      ...blockStarts(index, asRecord(block)),
      ...blockEnds(),
    ]);
    return [...blocks, ...(message.stop_reason === null ? [] : finish(message.stop_reason))];
  };

  return {
    accept(event) {
      const record = asRecord(event);
      switch (asText(record?.type)) {
        case 'message':
          return record === null ? [] : whole(record);
        case 'message_start': {
          const message = asRecord(record?.message);
          return message === null ? [] : whole({ ...message, stop_reason: null });
        }
        case 'content_block_start':
          return [...blockEnds(), ...blockStarts(asCount(record?.index), asRecord(record?.content_block))];
        case 'content_block_delta':
          return blockGoesOn(asCount(record?.index), asRecord(record?.delta));
        case 'message_delta':
          usage = { ...usage, ...asRecord(record?.usage) };
          return [...blockEnds(), ...finish(asRecord(record?.delta)?.stop_reason)];
        case 'content_block_stop':
          return blockEnds();
        case 'ping':
        case 'message_stop':
          return [];
        default:
          return reply.accept(event); // an error, whatever its form
      }
    },
    end: (end) => reply.end(end),
    get ended() {
      return reply.ended;
    },
    get runaway() {
      return reply.runaway;
    },
  };
}

/** A block opens with an empty object, and its pieces follow; what else stands there is all there will be. */
function inputOf(input: unknown): unknown {
  const record = asRecord(input);
  return record !== null && Object.keys(record).length === 0 ? '' : input;
}

/** What was read from the cache and written to it is part of the prompt, and is not in `input_tokens`. */
function chatUsage(usage: JsonRecord): object | null {
  const input = asCount(usage.input_tokens);
  const output = asCount(usage.output_tokens);
  if (input === null || output === null) return null;
  const cached = asCount(usage.cache_read_input_tokens) ?? 0;
  const written = asCount(usage.cache_creation_input_tokens) ?? 0;
  return {
    prompt_tokens: input + cached + written,
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
