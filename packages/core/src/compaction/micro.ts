/** L1 and L3: masks old tool results and shortens long arguments of old calls (context.md 5). No model call. */
import { bestLiterals } from '../facts/best-literals.ts';
import { literalsOf } from '../facts/collect-facts.ts';
import { type Message, type Part, type ToolMessage, textOf } from '../message/message.ts';
import { countMessage } from '../tokens/estimate.ts';
import type { ContextEdit, LayerName } from '../view/edit.ts';
import type { LayerInput } from './layer.ts';
import { hasSignedReasoning, KEPT_TOOLS, unresolvedErrors } from './pins.ts';
import { placeholderText } from './placeholder.ts';
import { shortenArguments } from './shorten-arguments.ts';

/** Literals that a placeholder lists: what is used next is most often one of them (quality.md 2). */
const PLACEHOLDER_LITERALS = 12;

export function micro(
  layer: Extract<LayerName, 'micro' | 'aggressive_micro'>,
  keepRecent: number,
  { messages, pins, count }: LayerInput,
): readonly ContextEdit[] {
  const known = usedLiterals(messages);
  const results = messages.filter((message) => message.role === 'tool');
  const recent = results.at(-keepRecent);
  const recentStart = recent === undefined ? 0 : messages.indexOf(recent);
  const old = messages.slice(0, keepRecent === 0 ? messages.length : recentStart);
  const unresolved = unresolvedErrors(messages);
  return old.flatMap((message): readonly ContextEdit[] => {
    if (pins.messages.has(message.id)) return [];
    if (message.role === 'tool')
      return unresolved.has(message.id) ? [] : maskEdit(layer, message, known, count);
    return argumentsEdit(layer, message, count);
  });
}

function maskEdit(
  layer: LayerName,
  message: ToolMessage,
  known: ReadonlySet<string>,
  count: LayerInput['count'],
): readonly ContextEdit[] {
  const [part] = message.parts;
  if (message.masked === true || KEPT_TOOLS.has(part.name)) return [];
  const literals = bestLiterals(textOf(message), PLACEHOLDER_LITERALS, (literal) => known.has(literal));
  const parts = [{ ...part, text: placeholderText(message, literals) }] as const;
  const tokens = countMessage(parts, count);
  if (tokens >= message.tokens) return [];
  return [{ kind: 'rewrite', layer, message: message.id, parts, tokens, reason: 'mask' }];
}

/** What the model or a person has used: most likely to be used again. */
function usedLiterals(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.filter(({ role }) => role === 'assistant' || role === 'user').flatMap(literalsOf));
}

/** Signed reasoning vouches for its message byte for byte: such a message is left as it is. */
function argumentsEdit(
  layer: LayerName,
  message: Message,
  count: LayerInput['count'],
): readonly ContextEdit[] {
  if (message.role !== 'assistant' || hasSignedReasoning(message)) return [];
  const parts = message.parts.map((part): typeof part =>
    part.type === 'tool-call' ? { ...part, arguments: shortenArguments(part.arguments, message.id) } : part,
  );
  if (parts.every((part, index) => sameArguments(part, message.parts[index]))) return [];
  const tokens = countMessage(parts, count);
  if (tokens >= message.tokens) return [];
  return [{ kind: 'rewrite', layer, message: message.id, parts, tokens, reason: 'arguments' }];
}

function sameArguments(a: Part, b: Part | undefined): boolean {
  return a.type !== 'tool-call' || (b?.type === 'tool-call' && a.arguments === b.arguments);
}
