/** Our messages → the body of a chat completion request (recovery.md, Providers). Pure; `openai` gets no reasoning back. */
import { type OpenAiMessage, openAiMessage, toolCallsOf } from '@astroresearch/core';
import type { ModelRequest, ToolSchema } from './language-model.ts';

/** How a provider wants the output limit to be called. */
export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

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
): RequestBody {
  const messages: OpenAiMessage[] = [];
  const toolCallIds = new Set<string>();
  for (const message of request.messages) {
    messages.push(openAiMessage(message));
    for (const call of toolCallsOf(message)) toolCallIds.add(call.toolCallId);
  }
  const offersTools = request.tools.length > 0;
  const body = {
    model,
    messages,
    ...(offersTools ? { tools: request.tools.map(wireTool) } : {}),
    ...(offersTools && request.toolChoice === 'none' ? { tool_choice: 'none' } : {}),
    ...(request.maxOutputTokens === undefined ? {} : { [outputLimitField]: request.maxOutputTokens }),
    stream: true,
    stream_options: { include_usage: true },
  };
  return { json: wellFormedJson(body), toolCallIds };
}

function wireTool(tool: ToolSchema) {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.parameters },
  };
}

/** Half a surrogate pair anywhere makes providers refuse the whole request. The search is quick and nearly always vain. */
function wellFormedJson(body: unknown): string {
  const json = JSON.stringify(body);
  if (!json.includes('\\ud')) return json;
  return JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}
