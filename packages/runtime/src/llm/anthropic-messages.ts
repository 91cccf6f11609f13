/** Our messages → the body of a Messages request: blocks, results first, breakpoints of the cache. Pure. */
import { type Message, type Part, type ToolCallPart, textOf, toolCallsOf } from '@astroresearch/core';
import { asRecord, parseJson } from './json-fields.ts';
import type { ModelRequest, ToolSchema } from './language-model.ts';
import { type RequestBody, wellFormedJson } from './openai-messages.ts';

/** The API wants a limit with every request; this one where nobody knows the model's own. */
const DEFAULT_OUTPUT_TOKENS = 8_192;
/** Stands before what is sent back of thoughts that nobody may read. */
export const REDACTED = 'redacted:';

type Block = Readonly<Record<string, unknown>>;
type Wire = { readonly role: 'user' | 'assistant'; content: readonly Block[] };

const BREAKPOINT = { cache_control: { type: 'ephemeral' } } as const;

/** `model`: what is asked for, the default already put in. */
export function anthropicRequestBody(request: ModelRequest, model: string): RequestBody {
  const messages: Wire[] = [];
  const toolCallIds = new Set<string>();
  let system = '';
  for (const message of request.messages) {
    if (message.role === 'system') {
      system = textOf(message);
      continue;
    }
    for (const call of toolCallsOf(message)) toolCallIds.add(call.toolCallId);
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message);
    const last = messages.at(-1);
    // Two of one role in a row are refused: results and what was appended behind them are one message.
    if (last?.role === role) last.content = [...last.content, ...blocks];
    else messages.push({ role, content: blocks });
  }
  const offersTools = request.tools.length > 0;
  const body = {
    model,
    max_tokens: request.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...BREAKPOINT }] }),
    messages: withBreakpoint(messages),
    ...(offersTools ? { tools: request.tools.map(wireTool) } : {}),
    ...(offersTools && request.toolChoice === 'none' ? { tool_choice: { type: 'none' } } : {}),
    stream: true,
  };
  return { json: wellFormedJson(body), toolCallIds };
}

/** The newest block ends what the next request will find in the cache. */
function withBreakpoint(messages: readonly Wire[]): readonly Wire[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last === undefined || block === undefined || block.type === 'thinking') return messages;
  return [
    ...messages.slice(0, -1),
    { ...last, content: [...last.content.slice(0, -1), { ...block, ...BREAKPOINT }] },
  ];
}

function blocksOf(message: Message): readonly Block[] {
  return (message.parts as readonly Part[]).flatMap((part): readonly Block[] => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
      case 'reasoning':
        return thoughtOf(part.text, part.signature);
      case 'tool-call':
        return [
          { type: 'tool_use', id: wireId(part.toolCallId), name: wireName(part.name), input: inputOf(part) },
        ];
      case 'tool-result':
        return [
          {
            type: 'tool_result',
            tool_use_id: wireId(part.toolCallId),
            content: part.text,
            ...(part.status === 'ok' ? {} : { is_error: true }),
          },
        ];
      default:
        return part satisfies never;
    }
  });
}

/** Only what is signed may go back, and byte for byte; thoughts of another provider stay here. */
function thoughtOf(thinking: string, signature: string | undefined): readonly Block[] {
  if (signature === undefined) return [];
  if (signature.startsWith(REDACTED))
    return [{ type: 'redacted_thinking', data: signature.slice(REDACTED.length) }];
  return [{ type: 'thinking', thinking, signature }];
}

/** Ids of other providers hold characters that this one refuses; call and result change alike. */
function wireId(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}

function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown_tool';
}

/** The API takes an object and nothing else. */
function inputOf(call: ToolCallPart): Readonly<Record<string, unknown>> {
  if (call.arguments.trim() === '') return {};
  return asRecord(parseJson(call.arguments)) ?? { invalid_json: call.arguments };
}

function wireTool(tool: ToolSchema) {
  return { name: tool.name, description: tool.description, input_schema: tool.parameters };
}
