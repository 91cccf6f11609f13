/** Our messages → the body of a chat completion request (recovery.md, Providers). Pure; `openai` gets no reasoning back. */
import type { Message, ToolCallPart } from '@astroresearch/core';
import { textOf, toolCallsOf } from '@astroresearch/core';
import { parseJson } from './json-fields.ts';
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
  const messages: WireMessage[] = [];
  const toolCallIds = new Set<string>();
  for (const message of request.messages) {
    messages.push(wireMessage(message));
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

type WireMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly WireToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export type WireToolCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
};

function wireMessage(message: Message): WireMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: textOf(message) };
    case 'assistant': {
      const text = textOf(message);
      const calls = toolCallsOf(message);
      if (calls.length === 0) return { role: 'assistant', content: text };
      return {
        role: 'assistant',
        content: text === '' ? null : text,
        tool_calls: calls.map(wireToolCall),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.parts[0].toolCallId, content: message.parts[0].text };
    default:
      return message satisfies never;
  }
}

function wireToolCall(call: ToolCallPart): WireToolCall {
  return {
    id: call.toolCallId,
    type: 'function',
    function: { name: wireName(call.name), arguments: wireArguments(call) },
  };
}

/** A name that the model made up may hold what no provider takes back. */
function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown_tool';
}

const checkedArguments = new WeakMap<ToolCallPart, string>();

/**
 * Some providers refuse a history whose arguments are not JSON, for ever after. What the model wrote stands in the
 * history unchanged; here it travels as a JSON text inside of an object. Parts never change, so each is looked at once.
 */
function wireArguments(call: ToolCallPart): string {
  const known = checkedArguments.get(call);
  if (known !== undefined) return known;
  const text = call.arguments;
  const wire =
    text.trim() === '' ? '{}' : parseJson(text) === undefined ? JSON.stringify({ invalid_json: text }) : text;
  checkedArguments.set(call, wire);
  return wire;
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
