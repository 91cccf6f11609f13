/** One of our messages in the chat-completion format: what adapters send and `compact` prints. */
import { type Message, type ToolCallPart, textOf, toolCallsOf } from './message.ts';

export type OpenAiMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly OpenAiToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export type OpenAiToolCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
};

/** As a chat completion request carries it; reasoning is left out. */
export function openAiMessage(message: Message): OpenAiMessage {
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

function wireToolCall(call: ToolCallPart): OpenAiToolCall {
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
  const wire = text.trim() === '' ? '{}' : isJson(text) ? text : JSON.stringify({ invalid_json: text });
  checkedArguments.set(call, wire);
  return wire;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
