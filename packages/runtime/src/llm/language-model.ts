/** The model port: one request in, a stream of model events out (recovery.md, Providers). */
import type { Message, ModelFailure, ToolCallPart, Usage } from '@astroresearch/core';

/** Travels as the header `x-astroresearch-purpose`, so that a gateway can route and bill by it. */
export type Purpose = 'turn' | 'subagent' | 'summary' | 'memory' | 'title';

/** A tool as a provider is told of it. */
export type ToolSchema = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
};

export type ModelRequest = {
  readonly purpose: Purpose;
  /** The model's name at the provider. */
  readonly model: string;
  /** System message first; valid by `toRequest` (core). */
  readonly messages: Iterable<Message>;
  readonly tools: readonly ToolSchema[];
  /** `none`: the list is sent all the same where the provider knows `tool_choice`, so that the cached prefix stays. */
  readonly toolChoice: 'auto' | 'none';
  readonly enableThinking: boolean;
  readonly maxOutputTokens?: number;
};

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter';

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly signature?: string }
  /** A whole call; adapters join fragments and give a UUID where the id is missing, empty or repeated in this reply. */
  | { readonly type: 'tool-call'; readonly call: ToolCallPart }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly raw?: unknown }
  | { readonly type: 'failure'; readonly failure: ModelFailure };

/**
 * Contract: `stream` never throws for what a provider may do. It ends with exactly one `finish` or one `failure`;
 * after `signal` aborts it ends within 250 ms with neither.
 */
export interface LanguageModel {
  /** `openai`, `offline`, `scripted` … */
  readonly provider: string;
  /** The name used where a request names none. */
  readonly defaultModel: string;
  /** False: it writes no summaries; compaction takes extracts instead. */
  readonly summarises: boolean;
  /** True: its API wants every request to name an output limit. */
  readonly needsOutputLimit?: boolean;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
