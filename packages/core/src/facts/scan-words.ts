/** Literals that are one word, or a few joined: identifiers, numbers (quality.md 2, Need). */
import { ALPHANUMERIC, classAt, DIGIT, DOT, LETTER, LOWER, UNDERSCORE, UPPER, WORD } from './characters.ts';
import { type LiteralVisitor, MAX_CHARS, MIN_CHARS, MIN_DENSE_CHARS, visitSized } from './literal-kind.ts';

const MIN_CAMEL_CHARS = 8;

/** Words, words joined by hyphens, and decimal numbers. */
export function visitWords(text: string, start: number, end: number, visit: LiteralVisitor): void {
  let compoundStart = -1;
  let compoundBits = 0;
  for (let index = start; index < end; ) {
    const wordStart = index;
    let bits = 0;
    for (let bit = classAt(text, index); bit & WORD && index < end; bit = classAt(text, ++index)) bits |= bit;
    if (index === wordStart) {
      index++;
      continue;
    }
    const joined = wordStart > start && text[wordStart - 1] === '-' && compoundStart !== -1;
    if (!joined) {
      compoundStart = wordStart;
      compoundBits = 0;
    }
    compoundBits |= bits;
    const goesOn = index < end && text[index] === '-' && (classAt(text, index + 1) & WORD) !== 0;
    if (!goesOn && compoundStart < wordStart && compoundBits & DIGIT && compoundBits & LETTER)
      visitSized(text, compoundStart, index, MIN_DENSE_CHARS, 'identifier', visit);
    const decimalEnd = bits === DIGIT && text[index] === '.' ? decimalEndAt(text, wordStart, index) : -1;
    if (decimalEnd !== -1) {
      visitSized(text, wordStart, decimalEnd, MIN_DENSE_CHARS, 'number', visit);
      index = versionEndAt(text, decimalEnd);
      if (index > decimalEnd) visitSized(text, wordStart, index, MIN_DENSE_CHARS, 'identifier', visit);
      compoundStart = -1;
      continue;
    }
    visitWord(text, wordStart, index, bits, visit);
    if (!goesOn) compoundStart = -1;
  }
}

/** Where the number ends that has two decimals and more, and perhaps an exponent; -1 for a piece of a version or an address. */
function decimalEndAt(text: string, start: number, dot: number): number {
  if (classAt(text, start - 1) === DOT) return -1;
  let end = digitsEnd(text, dot + 1);
  if (end - dot <= 2) return -1;
  if (text[end] === 'e' || text[end] === 'E') {
    const sign = text[end + 1] === '-' || text[end + 1] === '+' ? 1 : 0;
    const exponentEnd = digitsEnd(text, end + 1 + sign);
    if (exponentEnd > end + 1 + sign) end = exponentEnd;
  }
  if (classAt(text, versionEndAt(text, end)) & WORD) return -1;
  return classAt(text, end) === DOT && classAt(text, end + 1) === DIGIT ? -1 : end;
}

/** Behind the `v2` of an arXiv id; `start` where there is none. */
function versionEndAt(text: string, start: number): number {
  const end = text[start] === 'v' ? digitsEnd(text, start + 1) : start;
  return end > start + 1 ? end : start;
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  while (classAt(text, end) === DIGIT) end++;
  return end;
}

function visitWord(text: string, start: number, end: number, bits: number, visit: LiteralVisitor): void {
  const chars = end - start;
  if (chars < MIN_DENSE_CHARS || chars > MAX_CHARS) return;
  if (bits === DIGIT) visit(text.slice(start, end), 'number');
  else if (bits & UNDERSCORE) {
    if (chars >= MIN_CHARS && joinsByUnderscore(text, start, end)) visit(text.slice(start, end), 'snake');
  } else if (bits & DIGIT) visit(text.slice(start, end), 'identifier');
  else if (bits === LETTER && chars >= MIN_CAMEL_CHARS && hasHump(text, start, end))
    visit(text.slice(start, end), 'camel');
}

function joinsByUnderscore(text: string, start: number, end: number): boolean {
  for (let index = start + 1; index < end - 1; index++) {
    if (
      classAt(text, index) === UNDERSCORE &&
      classAt(text, index - 1) & ALPHANUMERIC &&
      classAt(text, index + 1) & ALPHANUMERIC
    )
      return true;
  }
  return false;
}

/** A capital behind a small letter, or the last capital of several before a small one: `getView`, `URLParams`. */
function hasHump(text: string, start: number, end: number): boolean {
  for (let index = start + 1; index < end; index++) {
    const before = classAt(text, index - 1);
    if (before === LOWER && classAt(text, index) === UPPER) return true;
    if (
      index - start > 1 &&
      before === UPPER &&
      classAt(text, index) === LOWER &&
      classAt(text, index - 2) === UPPER
    )
      return true;
  }
  return false;
}
