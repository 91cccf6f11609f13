/** Long arguments of old calls, shortened as valid JSON (context.md 5): a provider refuses anything else. */

import type { MessageId } from '../message/message.ts';

const LONG_ARGUMENTS_CHARS = 1_000;
/** What remains of each long string. */
const KEPT_CHARS = 200;

/** `ref` names the message that has them whole. The arguments themselves where they are short, no JSON, or no shorter afterwards. */
export function shortenArguments(text: string, ref: MessageId): string {
  if (text.length <= LONG_ARGUMENTS_CHARS) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const shortened = JSON.stringify(shorten(value, ref));
  return shortened.length < text.length ? shortened : text;
}

function shorten(value: unknown, ref: MessageId): unknown {
  if (typeof value === 'string') return shortenText(value, ref);
  if (Array.isArray(value)) return value.map((inner) => shorten(inner, ref));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner, ref)]));
  }
  return value;
}

function shortenText(text: string, ref: MessageId): string {
  if (text.length <= KEPT_CHARS) return text;
  const head = text.slice(0, KEPT_CHARS).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}… (${text.length - head.length} characters left out · recall ${ref})`;
}
