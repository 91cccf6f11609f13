/** Chunks of a chat completion → model events: a fold over what came, with one end (recovery.md, Providers). */
import type { ModelFailure, OpenAiToolCall, ToolCallPart, Usage } from '@astroresearch/core';
import type { Ids } from '../ports.ts';
import { failureInStream } from './failure.ts';
import { asArray, asCount, asRecord, asText, type JsonRecord, parseJson } from './json-fields.ts';
import type { FinishReason, ModelEvent } from './language-model.ts';
import { endingOf } from './openai-finish.ts';
import { usageOf } from './openai-usage.ts';
import { createToolCallAssembly, type ToolCallDelta } from './tool-call-assembly.ts';
import { createSurrogateJoiner } from './well-formed.ts';

export type ReplyOptions = {
  readonly ids: Ids;
  /** Call ids of the request. */
  readonly takenIds: ReadonlySet<string>;
  readonly maxOutputTokens: number | undefined;
  /** Never to be seen in a failure's message. */
  readonly secrets: readonly string[];
};

/**
 * How the stream ended: `done` by its own sign, `broken` without one, `cut` by us because it would not end.
 */
export type StreamEnd = 'done' | 'broken' | 'cut';

export type DialectReply = {
  /** The events of one chunk, or of a whole completion. After a `failure` nothing more may be asked. */
  accept(chunk: unknown): readonly ModelEvent[];
  /** Calls, usage, and the one finish or failure. */
  end(end: StreamEnd): readonly ModelEvent[];
  /** The provider said why it stopped: what breaks afterwards does no harm. */
  readonly ended: boolean;
  /** Far more came than was asked for: the stream should be cut. */
  readonly runaway: boolean;
};

/** Longer tokens are rare even in tables and rulers; a reply beyond 1.2 × limit × this is no longer one. */
const MAX_CHARS_PER_TOKEN = 32;
const BROKE_OFF: ModelFailure = {
  kind: 'network',
  message: 'The stream broke off: it ended without finish_reason and without [DONE].',
};
const NOTHING_CAME: ModelFailure = {
  kind: 'timeout',
  message: 'The provider kept the stream open and sent no reply; the call was ended.',
};

export function createOpenAiReply(options: ReplyOptions): DialectReply {
  const assembly = createToolCallAssembly(options.ids, options.takenIds);
  const textJoiner = createSurrogateJoiner();
  const reasoningJoiner = createSurrogateJoiner();
  const maxChars =
    options.maxOutputTokens === undefined ? Infinity : options.maxOutputTokens * 1.2 * MAX_CHARS_PER_TOKEN;
  let text = '';
  let reasoning = '';
  let usage: Usage | null = null;
  let finishReason: string | null = null;
  let chars = 0;

  const addText = (piece: string, out: ModelEvent[]) => {
    if (piece === '') return;
    text += piece;
    out.push({ type: 'text', text: piece });
  };
  const addReasoning = (piece: string, out: ModelEvent[]) => {
    if (piece === '') return;
    reasoning += piece;
    out.push({ type: 'reasoning', text: piece });
  };
  const addDelta = (delta: JsonRecord, out: ModelEvent[]) => {
    const thought = asText(delta.reasoning_content) ?? asText(delta.reasoning);
    if (thought !== null) addReasoning(reasoningJoiner.push(thought), out);
    const content = contentOf(delta.content) ?? asText(delta.refusal);
    if (content !== null) addText(textJoiner.push(content), out);
    const fragments = toolCallDeltas(delta.tool_calls);
    for (const fragment of fragments) {
      assembly.add(fragment);
      chars += fragment.arguments?.length ?? 0;
    }
    chars += (thought?.length ?? 0) + (content?.length ?? 0);
  };

  return {
    accept(chunk) {
      const record = asRecord(chunk) ?? asRecord(asArray(chunk)[0]);
      if (record === null) return [];
      const choice = asRecord(asArray(record.choices)[0]);
      if (saysError(record, choice)) {
        return [...usageEvents(usage), failed(failureInStream(choice?.error ?? chunk, options.secrets))];
      }
      usage = usageOf(record.usage) ?? usageOf(choice?.usage) ?? usage;
      if (choice === null) return [];
      const out: ModelEvent[] = [];
      const delta = asRecord(choice.delta);
      // A whole message is the answer to a request without a stream; as the last chunk of one it says all again.
      const empty = text === '' && reasoning === '' && !assembly.begun;
      const message = delta === null && empty ? asRecord(choice.message) : delta;
      if (message !== null) addDelta(message, out);
      finishReason = asText(choice.finish_reason) ?? finishReason;
      return out;
    },

    end(end) {
      const out: ModelEvent[] = [];
      addReasoning(reasoningJoiner.end(), out);
      addText(textJoiner.end(), out);
      if (finishReason === null && end === 'broken')
        return [...out, ...usageEvents(usage), failed(BROKE_OFF)];
      const said = finishReason === null ? null : endingOf(finishReason);
      if (said?.kind === 'failure') {
        const message = `The provider stopped its reply with finish_reason "${finishReason}".`;
        return [...out, ...usageEvents(usage), failed({ kind: said.errorKind, message })];
      }
      if (end === 'cut' && text === '' && reasoning === '' && !assembly.begun) {
        return [...usageEvents(usage), failed(NOTHING_CAME)];
      }
      const calls = assembly.calls();
      const reason =
        end === 'cut'
          ? 'length'
          : reasonFor(said?.kind === 'finish' ? said.reason : null, calls, usage, options.maxOutputTokens);
      const complete = reason === 'stop' || reason === 'tool-calls' ? calls : calls.filter(isComplete);
      for (const call of complete) out.push({ type: 'tool-call', call });
      out.push(...usageEvents(usage));
      out.push({ type: 'finish', reason, raw: rawMessage(text, reasoning, complete) });
      return out;
    },

    get ended() {
      return finishReason !== null;
    },
    get runaway() {
      return chars > maxChars;
    },
  };
}

/**
 * What came outweighs what was said: calls make it `tool-calls`. A reply with calls that used all the tokens it was
 * given was cut, whatever is said of it; so was one that ended without a reason in the middle of arguments.
 */
function reasonFor(
  said: FinishReason | null,
  calls: readonly ToolCallPart[],
  usage: Usage | null,
  maxOutputTokens: number | undefined,
): FinishReason {
  if (said === 'length' || said === 'content-filter') return said;
  if (calls.length === 0) return 'stop';
  const spentAll =
    usage !== null && maxOutputTokens !== undefined && usage.completionTokens >= maxOutputTokens;
  if (spentAll || (said === null && !calls.every(isComplete))) return 'length';
  return 'tool-calls';
}

function isComplete(call: ToolCallPart): boolean {
  return parseJson(call.arguments) !== undefined;
}

function usageEvents(usage: Usage | null): readonly ModelEvent[] {
  return usage === null ? [] : [{ type: 'usage', usage }];
}

function failed(failure: ModelFailure): ModelEvent {
  return { type: 'failure', failure };
}

/** `choices` may be missing where `usage` comes alone; words without either are an error. */
function saysError(record: JsonRecord, choice: JsonRecord | null): boolean {
  if (record.error || choice?.error || record.object === 'error' || record.type === 'error') return true;
  return !('choices' in record) && (asText(record.message) ?? asText(record.detail)) !== null;
}

/** A text, or a list of parts as some providers send it. */
function contentOf(content: unknown): string | null {
  if (!Array.isArray(content)) return asText(content);
  return asText(content.map((part) => asText(asRecord(part)?.text) ?? '').join(''));
}

/** Several calls in one list without an index are told apart by their place in it. */
function toolCallDeltas(value: unknown): readonly ToolCallDelta[] {
  const list = asArray(value);
  return list.flatMap((entry, place) => {
    const record = asRecord(entry);
    if (record === null) return [];
    const call = asRecord(record.function);
    const written = call?.arguments;
    return {
      index: asCount(record.index) ?? (list.length > 1 ? place : null),
      id: asText(record.id),
      name: asText(call?.name),
      arguments: writtenText(written),
    };
  });
}

/** Arguments that came as a value instead of a text: none of them is dropped, or the call would run without them. */
function writtenText(written: unknown): string | null {
  if (written === undefined || written === null || typeof written === 'string') return asText(written);
  return JSON.stringify(written);
}

/** The reply as the provider would have sent it in one piece. */
function rawMessage(text: string, reasoning: string, calls: readonly ToolCallPart[]) {
  const toolCalls = calls.map(
    (call): OpenAiToolCall => ({
      id: call.toolCallId,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }),
  );
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
}
