/** Whether a text is JSON that we take in (reliability.md T15, T22, I4): depth, keys, well-formed strings. */

/** `at`: where in the document, as `messages.0.text`; empty for the whole of it. */
type JsonFault = { readonly at: string; readonly message: string };
export type JsonReading =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'fault'; readonly fault: JsonFault };

const MAX_DEPTH = 64;

export function readJson(bytes: Uint8Array): JsonReading {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fault('', 'The body is not valid UTF-8. Encode it as UTF-8.');
  }
  if (isTooDeep(text)) return fault('', `The body nests deeper than ${MAX_DEPTH} levels. Send it flatter.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault('', 'The body is not JSON. Send one JSON object.');
  }
  const found = findFault(value, []);
  return found === null ? { kind: 'value', value } : { kind: 'fault', fault: found };
}

function fault(at: string, message: string): JsonReading {
  return { kind: 'fault', fault: { at, message } };
}

/** Counts brackets outside of strings, before anything recursive sees the document. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}

function findFault(value: unknown, path: readonly string[]): JsonFault | null {
  if (typeof value === 'string') {
    const message = textFault(value);
    return message === null ? null : { at: path.join('.'), message };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const keyMessage = key === '__proto__' ? 'The key `__proto__` is refused.' : textFault(key);
    if (keyMessage !== null) return { at: path.join('.'), message: keyMessage };
    const found = findFault(member, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

/** What no model and no database takes; refused rather than replaced, so that what is stored is what was sent. */
function textFault(text: string): string | null {
  if (/\p{Surrogate}/u.test(text)) return 'Half of a surrogate pair: send whole characters.';
  if (text.includes('\0')) return 'Character U+0000 cannot be stored: leave it out.';
  return null;
}
