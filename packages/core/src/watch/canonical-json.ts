/** One spelling for JSON texts that mean the same, so that calls can be compared by it (context.md 4, loop guard). */

/** Deeper texts are compared as they are; the executor refuses such arguments anyway. */
const MAX_DEPTH = 64;

/**
 * The same string for texts that differ in key order, whitespace, escapes or number forms (`1`, `1.0`, `10e-1`)
 * alone. Numbers keep all their digits: two 19-digit source ids that are one floating-point number stay two.
 * Of a repeated key the last value counts. A text that is no JSON, or nested deeper than 64, comes back unchanged.
 */
export function canonicalJson(text: string): string {
  if (!isJson(text)) return text;
  return new Canonicaliser(text).value(0) ?? text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads a text that is known to be valid JSON; null where it is nested too deep. */
class Canonicaliser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): string | null {
    if (depth > MAX_DEPTH) return null;
    switch (this.#peek()) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      default: {
        const word = this.#word();
        return /^[-\d]/.test(word) ? canonicalNumber(word) : word;
      }
    }
  }

  #object(depth: number): string | null {
    const members = new Map<string, string>();
    this.#at++;
    while (this.#peek() !== '}') {
      const key = this.#string();
      this.#skip(':');
      const value = this.value(depth + 1);
      if (value === null) return null;
      members.set(key, value);
      this.#skip(',');
    }
    this.#at++;
    const sorted = [...members].sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${sorted.map(([key, value]) => `${key}:${value}`).join(',')}}`;
  }

  #array(depth: number): string | null {
    const items: string[] = [];
    this.#at++;
    while (this.#peek() !== ']') {
      const value = this.value(depth + 1);
      if (value === null) return null;
      items.push(value);
      this.#skip(',');
    }
    this.#at++;
    return `[${items.join(',')}]`;
  }

  #string(): string {
    const start = this.#at++;
    while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#at++;
    return JSON.stringify(JSON.parse(this.#text.slice(start, this.#at)));
  }

  /** A number, `true`, `false` or `null`. */
  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && /[-+.\w]/.test(this.#text.charAt(this.#at))) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  /** The next character that is no whitespace; stays before it. */
  #peek(): string {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at++;
    return this.#text.charAt(this.#at);
  }

  #skip(separator: string): void {
    if (this.#peek() === separator) this.#at++;
  }
}

/** Sign, digits without zeros at either end, power of ten: `-12e3`. Zero is `0`. */
function canonicalNumber(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(literal) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}${power === 0 ? '' : `e${power}`}`;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
