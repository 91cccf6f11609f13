/** Folds a stream of model events into one reply: a message, a failure, or nothing (cancelled before a word). */
import {
  type AssistantMessage,
  countMessage,
  type ModelFailure,
  type TokenCounter,
  type ToolCallPart,
  type Usage,
} from '@astroresearch/core';
import type { FinishReason, ModelEvent } from '../llm/language-model.ts';
import type { Ids } from '../ports.ts';
import type { Publish } from './turn-parts.ts';

export type Reply =
  | {
      readonly kind: 'message';
      readonly message: Pick<AssistantMessage, 'role' | 'parts' | 'ending' | 'raw'>;
      readonly usage: Usage | null;
      countTokens(count: TokenCounter): number;
    }
  | { readonly kind: 'failed'; readonly failure: ModelFailure; readonly usage: Usage | null }
  | { readonly kind: 'nothing' };

export type ReplyOptions = {
  readonly signal: AbortSignal;
  /** False: calls in the reply are dropped, nobody asked for them. */
  readonly toolsOffered: boolean;
  readonly isKnownCall: (toolCallId: string) => boolean;
  readonly newId: Ids;
  readonly publish: Publish;
};

type ReplyParts = AssistantMessage['parts'][number][];

export async function collectReply(events: AsyncIterable<ModelEvent>, options: ReplyOptions): Promise<Reply> {
  const parts: ReplyParts = [];
  let usage: Usage | null = null;
  const failed = (failure: ModelFailure): Reply => ({ kind: 'failed', failure, usage });
  for await (const event of events) {
    switch (event.type) {
      case 'text':
        extend(parts, { type: 'text', text: event.text });
        options.publish({ type: 'text-delta', text: event.text });
        break;
      case 'reasoning':
        extend(parts, { type: 'reasoning', text: event.text, ...signed(event.signature) });
        if (event.text !== '') options.publish({ type: 'thought', text: event.text });
        break;
      case 'tool-call':
        parts.push(withOwnId(event.call, parts, options));
        break;
      case 'usage':
        usage = event.usage;
        break;
      case 'finish':
        return options.signal.aborted
          ? cancelled(parts)
          : finished(parts, usage, event.reason, event.raw, options);
      case 'failure':
        return options.signal.aborted ? cancelled(parts) : failed(event.failure);
      default:
        event satisfies never;
    }
  }
  return options.signal.aborted ? cancelled(parts) : failed(NO_END);
}

function finished(
  parts: ReplyParts,
  usage: Usage | null,
  reason: FinishReason,
  raw: unknown,
  options: ReplyOptions,
): Reply {
  const calls = parts.filter((part) => part.type === 'tool-call');
  const failed = (kind: ModelFailure['kind'], message: string): Reply => ({
    kind: 'failed',
    failure: { kind, message },
    usage,
  });
  const kept = wellFormed(options.toolsOffered ? parts : parts.filter((part) => part.type !== 'tool-call'));
  if (reason === 'content-filter') {
    return failed('content_filter', 'finish_reason: content_filter');
  }
  if (reason === 'length' && calls.length > 0) {
    return failed('output_truncated', 'the reply ended inside a tool call');
  }
  const hasCalls = kept.some((part) => part.type === 'tool-call');
  if (!hasCalls && visibleText(kept) === '') {
    return failed(reason === 'length' ? 'output_truncated' : 'empty_reply', '');
  }
  return message(kept, usage, hasCalls ? 'tool-calls' : reason === 'length' ? 'length' : 'stop', raw);
}

/** The text so far is kept and marked; calls that were still coming are not. */
function cancelled(parts: ReplyParts): Reply {
  const kept = wellFormed(parts.filter((part) => part.type !== 'tool-call'));
  return visibleText(kept) === '' ? { kind: 'nothing' } : message(kept, null, 'cancelled', undefined);
}

const NO_END: ModelFailure = { kind: 'network', message: 'the model’s stream ended without an end' };

function message(
  parts: AssistantMessage['parts'],
  usage: Usage | null,
  ending: AssistantMessage['ending'],
  raw: unknown,
): Reply {
  return {
    kind: 'message',
    message: { role: 'assistant', parts, ending, ...(raw === undefined ? {} : { raw }) },
    usage,
    countTokens: (count) => countMessage(parts, count),
  };
}

/** Deltas of one kind in a row make one part; a signature closes its part. */
function extend(parts: ReplyParts, piece: Exclude<ReplyParts[number], ToolCallPart>): void {
  const last = parts.at(-1);
  if (last?.type === 'text' && piece.type === 'text') {
    parts[parts.length - 1] = { type: 'text', text: last.text + piece.text };
  } else if (last?.type === 'reasoning' && piece.type === 'reasoning' && last.signature === undefined) {
    parts[parts.length - 1] = { type: 'reasoning', text: last.text + piece.text, ...signed(piece.signature) };
  } else parts.push(piece);
}

function signed(signature: string | undefined): { readonly signature?: string } {
  return signature === undefined ? {} : { signature };
}

/** An id that the history holds already is replaced: providers refuse a payload that uses one twice. */
function withOwnId(call: ToolCallPart, parts: ReplyParts, options: ReplyOptions): ToolCallPart {
  const repeated = parts.some((part) => part.type === 'tool-call' && part.toolCallId === call.toolCallId);
  const usable = call.toolCallId !== '' && !repeated && !options.isKnownCall(call.toolCallId);
  return usable ? call : { ...call, toolCallId: options.newId() };
}

function visibleText(parts: AssistantMessage['parts']): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim();
}

/** No half of a surrogate pair enters the history: a provider would refuse the session for good. */
function wellFormed(parts: ReplyParts): ReplyParts {
  return parts.map((part) =>
    part.type === 'tool-call'
      ? { ...part, name: part.name.toWellFormed(), arguments: part.arguments.toWellFormed() }
      : { ...part, text: part.text.toWellFormed() },
  );
}
