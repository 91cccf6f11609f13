/** Our messages → the body of a chat completion request, in each dialect of it (recovery.md, Providers). Pure. */
import {
  type Message,
  type OpenAiMessage,
  openAiMessage,
  reasoningOf,
  toolCallsOf,
} from '@astroresearch/core';
import type { ModelRequest, ToolSchema } from './language-model.ts';

/** How a provider wants the output limit to be called. */
export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

/** Dialects of one format: what differs is said here, and nowhere else. */
export type OpenAiDialect = 'openai' | 'dashscope' | 'deepseek';

export type RequestBody = {
  /** JSON, ready to be sent. */
  readonly json: string;
  /** The ids of all calls in it: a reply may not use them again. */
  readonly toolCallIds: ReadonlySet<string>;
};

/** `model`: what is asked for, the default already put in. The one place where a request is serialised, once. */
export function openAiRequestBody(
  request: ModelRequest,
  model: string,
  outputLimitField: OutputLimitField,
  dialect: OpenAiDialect = 'openai',
): RequestBody {
  const messages: WireMessage[] = [];
  const toolCallIds = new Set<string>();
  for (const message of request.messages) {
    messages.push(wireMessage(message, dialect));
    for (const call of toolCallsOf(message)) toolCallIds.add(call.toolCallId);
  }
  const offersTools = request.tools.length > 0;
  const body = {
    model,
    messages,
    ...(offersTools ? { tools: request.tools.map(wireTool) } : {}),
    ...(offersTools && request.toolChoice === 'none' ? { tool_choice: 'none' } : {}),
    // Thinking must be refused by name, or the provider's own default holds; it exists with streaming only.
    ...(dialect === 'dashscope' ? { enable_thinking: request.enableThinking } : {}),
    ...(request.maxOutputTokens === undefined ? {} : { [outputLimitField]: request.maxOutputTokens }),
    stream: true,
    stream_options: { include_usage: true },
  };
  return { json: wellFormedJson(body), toolCallIds };
}

type WireMessage = OpenAiMessage & { readonly reasoning_content?: string };

/** DeepSeek refuses a call whose thoughts are missing; the others have no use for them. */
function wireMessage(message: Message, dialect: OpenAiDialect): WireMessage {
  const wire = openAiMessage(message);
  const reasoning = reasoningOf(message);
  const isWanted = dialect === 'deepseek' && reasoning !== '' && toolCallsOf(message).length > 0;
  return isWanted ? { ...wire, reasoning_content: reasoning } : wire;
}

function wireTool(tool: ToolSchema) {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.parameters },
  };
}

/** Half a surrogate pair anywhere makes providers refuse the whole request. The search is quick and nearly always vain. */
export function wellFormedJson(body: unknown): string {
  const json = JSON.stringify(body);
  if (!json.includes('\\ud')) return json;
  return JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}
