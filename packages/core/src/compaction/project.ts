/** The last resort (context.md 5, Outcomes): the largest unpinned messages are cut to head and tail with a ref between. */

import type { Language } from '../message/language.ts';
import { isFromPerson, type Message, type Part } from '../message/message.ts';
import { countMessage } from '../tokens/estimate.ts';
import { type ContextEdit, isReplacement } from '../view/edit.ts';
import type { CompactionContext } from './layer.ts';
import { type CompactionLimits, sizeOf, WORDS_SHARE } from './limits.ts';
import { hasSignedReasoning, type Pins } from './pins.ts';
import { shortenArguments } from './shorten-arguments.ts';
import { leftOutText } from './texts.ts';

/** Characters of head and of tail that a cut message keeps. */
const KEPT_EACH_CHARS = 400;

/**
 * Cuts the largest first, as few as needed until the request is within the hard limit. A replacement is no original
 * that a ref could give back: it stays whole. Where the model would not take the request even so, earlier words of a
 * person that are more than their share are cut too: a session does not end for one message that was too large.
 */
export function project(
  messages: readonly Message[],
  pins: Pins,
  context: CompactionContext,
): readonly ContextEdit[] {
  const { limits } = context;
  const newest = messages.findLast(isFromPerson);
  const cuttable = messages.filter((message) => !isReplacement(message) && !hasSignedReasoning(message));
  const unpinned = cuttable.filter((message) => !pins.messages.has(message.id));
  const overlong = cuttable.filter(
    (message) => isFromPerson(message) && message !== newest && isOverlong(message, limits),
  );
  const size = sizeOf(messages, limits);
  const first = cutLargest(unpinned, size, limits.hardTokens, context);
  const last = cutLargest(overlong, first.size, limits.windowTokens, context);
  return [...first.edits, ...last.edits];
}

function isOverlong(message: Message, limits: CompactionLimits): boolean {
  return message.tokens * limits.scale > Math.min(limits.targetTokens, limits.triggerTokens) * WORDS_SHARE;
}

function cutLargest(
  messages: readonly Message[],
  sizeBefore: number,
  maxTokens: number,
  { limits, count, language }: CompactionContext,
): { readonly size: number; readonly edits: readonly ContextEdit[] } {
  let size = sizeBefore;
  const edits: ContextEdit[] = [];
  for (const message of messages.toSorted((a, b) => b.tokens - a.tokens)) {
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
  return { size, edits };
}

function cutParts(message: Message, language: Language): Message['parts'] {
  const cut = (part: Part): Part => {
    switch (part.type) {
      case 'text':
      case 'tool-result':
        return { ...part, text: headAndTail(part.text, message.id, language) };
      case 'tool-call':
        return { ...part, arguments: shortenArguments(part.arguments, message.id) };
      case 'reasoning':
        return part;
      default:
        return part satisfies never;
    }
  };
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
