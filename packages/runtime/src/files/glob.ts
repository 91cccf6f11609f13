/** Matches paths against `*`, `?`, `**`, `[a-z]` and `{a,b}` in bounded time, whatever pattern a model writes. */

/** More alternatives than this are not tried: `{a,b}{c,d}…` grows without end. */
const MAX_ALTERNATIVES = 64;

export type Glob = (path: string) => boolean;

/**
 * Paths are relative with `/` between the parts. `*`, `?` and `[…]` stay inside one part, `**` stands for any number
 * of parts. A pattern without `/` is matched against the last part alone, so `*.fits` finds files at any depth.
 * Null: the pattern has more than 64 alternatives.
 */
export function compileGlob(pattern: string): Glob | null {
  const alternatives = expandBraces(pattern.replace(/^\.?\/+/, ''));
  if (alternatives === null) return null;
  const compiled = alternatives.map((alternative) =>
    alternative.includes('/') ? alternative.split('/') : ['**', alternative],
  );
  return (path) => {
    const parts = path.split('/');
    return compiled.some((segments) => matchParts(segments, parts));
  };
}

function expandBraces(pattern: string): readonly string[] | null {
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    const next: string[] = [];
    for (const candidate of open) {
      const braces = /\{([^{}]*)\}/.exec(candidate);
      if (braces?.[1]?.includes(',') !== true) {
        done.push(candidate);
        continue;
      }
      const before = candidate.slice(0, braces.index);
      const after = candidate.slice(braces.index + braces[0].length);
      for (const choice of braces[1].split(',')) next.push(`${before}${choice}${after}`);
    }
    if (next.length + done.length > MAX_ALTERNATIVES) return null;
    open = next;
  }
  return done;
}

/** Row by row: `reachable[i]` says that the segments so far can match the first `i` parts. */
function matchParts(segments: readonly string[], parts: readonly string[]): boolean {
  let reachable = [true, ...parts.map(() => false)];
  for (const segment of segments) {
    const next = parts.map(() => false);
    next.push(false);
    for (let count = 0; count <= parts.length; count++) {
      if (segment === '**') {
        next[count] = reachable[count] === true || (count > 0 && next[count - 1] === true);
      } else if (count > 0 && reachable[count - 1] === true) {
        next[count] = matchPart(segment, parts[count - 1] ?? '');
      }
    }
    reachable = next;
  }
  return reachable[parts.length] === true;
}

type Token = { readonly kind: 'any' } | { readonly kind: 'one'; matches(character: string): boolean };

/** Greedy with one step back: quadratic at worst. */
function matchPart(segment: string, part: string): boolean {
  const tokens = tokensOf(segment);
  const characters = [...part];
  let token = 0;
  let position = 0;
  let star = -1;
  let starPosition = 0;
  while (position < characters.length) {
    const current = tokens[token];
    if (current?.kind === 'any') {
      star = token;
      starPosition = position;
      token += 1;
    } else if (current?.matches(characters[position] ?? '') === true) {
      token += 1;
      position += 1;
    } else if (star >= 0) {
      token = star + 1;
      starPosition += 1;
      position = starPosition;
    } else {
      return false;
    }
  }
  return tokens.slice(token).every(({ kind }) => kind === 'any');
}

function tokensOf(segment: string): readonly Token[] {
  const tokens: Token[] = [];
  const pieces = segment.match(/\[[!^]?[^\]]+\]|\*+|./gsu) ?? [];
  for (const piece of pieces) {
    if (piece.startsWith('*')) tokens.push({ kind: 'any' });
    else if (piece === '?') tokens.push({ kind: 'one', matches: () => true });
    else if (piece.length > 2 && piece.startsWith('[')) tokens.push(characterClass(piece.slice(1, -1)));
    else tokens.push({ kind: 'one', matches: (character) => character === piece });
  }
  return tokens;
}

function characterClass(body: string): Token {
  const negated = /^[!^]/.test(body);
  const ranges = (negated ? body.slice(1) : body).match(/.-.|./gsu) ?? [];
  const includes = (character: string) =>
    ranges.some((range) => {
      const [first = '', dash, last] = [...range];
      return dash === '-' && last !== undefined
        ? first <= character && character <= last
        : first === character;
    });
  return { kind: 'one', matches: (character) => includes(character) !== negated };
}
