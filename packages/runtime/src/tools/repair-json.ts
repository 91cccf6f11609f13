/** Repairs almost-JSON that can be read in one way only; anything that would need a guess stays broken (runtime.md). */
import { jsonrepair } from 'jsonrepair';

/**
 * JSON text, or null: it cannot be repaired, or only by guessing. Allowed are other quotes, missing quotes, missing
 * or surplus commas, raw line breaks in strings and Python's literals. Not allowed is whatever invents, drops or cuts
 * content: a missing value, a missing bracket (the text may have been cut off), a stray backslash or quote.
 */
export function repairJson(text: string): string | null {
  try {
    const repaired = jsonrepair(text);
    if (contentOf(text) !== contentOf(repaired)) return null;
    return escapedQuotes(repaired) > escapedQuotes(text) ? null : repaired;
  } catch {
    return null;
  }
}

/** What a reader would call the content: everything but space, quotes and commas. */
function contentOf(text: string): string {
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[nrtbf]/g, '')
    .replace(/\\(["'\\/])/g, '$1')
    .replace(/\b(?:True|False)\b/g, (word) => word.toLowerCase())
    .replace(/\bNone\b/g, 'null')
    .replace(/[\p{White_Space}\p{Cc}"'`´‘’“”,]/gu, '');
}

function escapedQuotes(text: string): number {
  return text.split('\\"').length - 1;
}
