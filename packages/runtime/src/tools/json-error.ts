/** Where a text stops being JSON, and what should stand there: engines say it in words that differ and often not at all. */

export type JsonExpectation =
  | 'value'
  | 'name'
  | 'name-or-brace'
  | 'colon'
  | 'comma-or-brace'
  | 'comma-or-bracket'
  | 'end-of-string'
  | 'escape'
  | 'end-of-text';

export type JsonError = {
  /** UTF-16 offset, from 0. */
  readonly position: number;
  readonly expected: JsonExpectation;
  /** The character that stands there; null: the text ends. */
  readonly found: string | null;
};

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Null exactly where `JSON.parse` accepts `text`. */
export function findJsonError(text: string): JsonError | null {
  const open: ('{' | '[')[] = [];
  let position = 0;
  let expected: JsonExpectation = 'value';
  for (;;) {
    position = skip(SPACE, text, position);
    const found = text[position];
    const fail = (): JsonError => ({ position, expected, found: characterAt(text, position) });
    if (expected === 'end-of-text') return found === undefined ? null : fail();
    if (found === undefined) return fail();
    switch (expected) {
      case 'value':
        if (found === '{' || found === '[') {
          open.push(found);
          position += 1;
          if (found === '{') {
            expected = 'name-or-brace';
            continue;
          }
          position = skip(SPACE, text, position);
          if (text[position] !== ']') continue;
          open.pop();
          position += 1;
        } else if (found === '"') {
          const end = skipString(text, position);
          if (typeof end !== 'number') return end;
          position = end;
        } else {
          const end = skip(SCALAR, text, position);
          if (end === position) return fail();
          position = end;
        }
        expected = afterValue(open);
        continue;
      case 'name':
      case 'name-or-brace': {
        if (found === '}' && expected === 'name-or-brace') {
          open.pop();
          position += 1;
          expected = afterValue(open);
          continue;
        }
        if (found !== '"') return fail();
        const end = skipString(text, position);
        if (typeof end !== 'number') return end;
        position = end;
        expected = 'colon';
        continue;
      }
      case 'colon':
        if (found !== ':') return fail();
        position += 1;
        expected = 'value';
        continue;
      case 'comma-or-brace':
      case 'comma-or-bracket':
        if (found === ',') {
          expected = expected === 'comma-or-brace' ? 'name' : 'value';
        } else {
          if (found !== (expected === 'comma-or-brace' ? '}' : ']')) return fail();
          open.pop();
          expected = afterValue(open);
        }
        position += 1;
        continue;
      case 'end-of-string':
      case 'escape':
        return fail();
      default:
        return expected satisfies never;
    }
  }
}

function afterValue(open: readonly ('{' | '[')[]): JsonExpectation {
  const innermost = open.at(-1);
  if (innermost === undefined) return 'end-of-text';
  return innermost === '{' ? 'comma-or-brace' : 'comma-or-bracket';
}

/** The offset behind the string that opens at `start`, or what is wrong in it. */
function skipString(text: string, start: number): number | JsonError {
  let position = start + 1;
  for (;;) {
    const found = text[position];
    if (found === '"') return position + 1;
    if (found === undefined || found < ' ') {
      return { position, expected: 'end-of-string', found: characterAt(text, position) };
    }
    if (found !== '\\') {
      position += 1;
      continue;
    }
    const end = skip(ESCAPE, text, position);
    if (end === position) return { position, expected: 'escape', found: characterAt(text, position + 1) };
    position = end;
  }
}

function skip(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

function characterAt(text: string, position: number): string | null {
  const codePoint = text.codePointAt(position);
  return codePoint === undefined ? null : String.fromCodePoint(codePoint);
}
