/** The last resort (context.md 5, Outcomes): the largest unpinned messages are cut to head and tail with a ref between. */

import type { Language } from '../message/language.ts';
import type { Message, Part } from '../message/message.ts';
import { countMessage } from '../tokens/estimate.ts';
import type { ContextEdit } from '../view/edit.ts';
import type { CompactionContext } from './layer.ts';
import { sizeOf } from './limits.ts';
import { hasSignedReasoning, type Pins } from './pins.ts';
import { leftOutText } from './texts.ts';

/** Characters of head and of tail that a cut message keeps. */
const KEPT_EACH_CHARS = 400;

/** Cuts the largest first, as few as needed until the request is within `maxTokens`. */
export function project(
  messages: readonly Message[],
  pins: Pins,
  maxTokens: number,
  { limits, count }: CompactionContext,
  language: Language,
): readonly ContextEdit[] {
  let size = sizeOf(messages, limits);
  const edits: ContextEdit[] = [];
  const largestFirst = messages
    .filter((message) => !pins.messages.has(message.id) && !hasSignedReasoning(message))
    .toSorted((a, b) => b.tokens - a.tokens);
  for (const message of largestFirst) {
    if (size <= maxTokens) break;
    const parts = cutParts(message, language);
    const tokens = countMessage(parts, count);
    if (tokens >= message.tokens) continue;
    size -= (message.tokens - tokens) * limits.scale;
    edits.push({
      kind: 'rewrite',
      layer: 'project',
      message: message.id,
      parts,
      tokens,
      reason: 'head-and-tail',
    });
  }
  return edits;
}

function cutParts(message: Message, language: Language): Message['parts'] {
  const cut = (part: Part): Part =>
    part.type === 'text' || part.type === 'tool-result'
      ? { ...part, text: headAndTail(part.text, message.id, language) }
      : part;
  return (message.parts as readonly Part[]).map(cut) as unknown as Message['parts'];
}

/** Cut between characters; the text itself where it is short. */
export function headAndTail(
  text: string,
  ref: string,
  language: Language,
  keptEachChars = KEPT_EACH_CHARS,
): string {
  if (text.length <= keptEachChars * 2) return text;
  const head = text.slice(0, keptEachChars).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-keptEachChars).replace(/^[\uDC00-\uDFFF]/, '');
  const leftOut = text.length - head.length - tail.length;
  return `${head}\n${leftOutText(leftOut, ref, language)}\n${tail}`;
}
