/** Finds the literals of a text in one pass, in time linear in its length whatever it holds (quality.md 2, Need). */
import {
  AT,
  classAt,
  DIGIT,
  DOT,
  EXTRA,
  HYPHEN,
  LOWER,
  SLASH,
  UNDERSCORE,
  UPPER,
  WORD,
} from './characters.ts';
import { hasUsualExtension } from './file-extensions.ts';
import { type LiteralVisitor, MAX_CHARS, MIN_CHARS, MIN_DENSE_CHARS, visitSized } from './literal-kind.ts';
import { visitWords } from './scan-words.ts';

const BIBCODE_CHARS = 19;
const MAX_EXTENSION_CHARS = 6;

const BACKSLASH = 92;
const COLON = 58;
const AMPERSAND = 38;
const NEWLINE = 10;
const OPENING_TITLE = 0x300a;
const OPENING_QUOTE = 0x300c;
/** End a URL, beside blanks, control characters and everything beyond ASCII. */
const URL_END = new Set([...'"\'<>()[]{}|\\^`'].map((character) => character.charCodeAt(0)));

export function scanLiterals(text: string, visit: LiteralVisitor): void {
  for (let index = 0; index < text.length; ) {
    if (classAt(text, index) !== 0) {
      index = visitChunk(text, index, visit);
      continue;
    }
    const code = text.charCodeAt(index);
    if (code === OPENING_TITLE || code === OPENING_QUOTE) visitTitle(text, index, visit);
    index += code === BACKSLASH ? escapeChars(text, index) : 1;
  }
}

/** Characters of the JSON escape at `index`, which counts as a blank; 1 for a backslash that escapes nothing. */
function escapeChars(text: string, index: number): number {
  const next = text[index + 1];
  if (next === undefined) return 1;
  if ('nrtbf"\\/'.includes(next)) return 2;
  return next === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(index + 2, index + 6)) ? 6 : 1;
}

/** `《…》` or `「…」`, brackets included, on one line; what stands inside is read on its own as well. */
function visitTitle(text: string, start: number, visit: LiteralVisitor): void {
  const opening = text.charCodeAt(start);
  const closing = opening + 1;
  const end = Math.min(text.length, start + MAX_CHARS);
  for (let index = start + 1; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === opening || code === NEWLINE) return;
    if (code === closing) {
      if (index + 1 - start >= MIN_CHARS) visit(text.slice(start, index + 1), 'title');
      return;
    }
  }
}

/** A run of characters that may belong to one literal; returns where it ends. */
function visitChunk(text: string, start: number, visit: LiteralVisitor): number {
  let bits = 0;
  let end = start;
  for (let bit = classAt(text, end); bit !== 0; bit = classAt(text, ++end)) bits |= bit;
  const code = text.charCodeAt(end);
  if (code === COLON) {
    if (isScheme(text, start, end)) return visitUrl(text, start, end, visit);
    if (isCatalogue(text, start, end)) visitPrefixed(text, start, end, visit);
  }
  if (code === AMPERSAND || (bits & DIGIT && end - start === BIBCODE_CHARS)) {
    const bibcodeEnd = visitBibcode(text, start, visit);
    if (bibcodeEnd > end) return bibcodeEnd;
  }
  visitWithin(text, start, end, bits, visit);
  return end;
}

function isScheme(text: string, start: number, end: number): boolean {
  if (!text.startsWith('://', end)) return false;
  const scheme = text.slice(Math.max(start, end - 5), end).toLowerCase();
  return scheme.endsWith('http') || scheme === 'https';
}

/** `arXiv:`, `doi:` … say what the identifier behind them is. */
function isCatalogue(text: string, start: number, end: number): boolean {
  return end - start <= 7 && /^(?:arxiv|doi|bibcode|pmid|ads)$/i.test(text.slice(start, end));
}

/** Prefix and identifier in one; the identifier is found on its own as well. */
function visitPrefixed(text: string, start: number, colon: number, visit: LiteralVisitor): void {
  let end = colon + 1;
  while (classAt(text, end) !== 0) end++;
  while (end > colon + 1 && (classAt(text, end - 1) & WORD) === 0) end--;
  if (end > colon + 1) visitSized(text, start, end, MIN_CHARS, 'identifier', visit);
}

/** Address, then what it is made of: a later mention may leave the scheme out, or give the last part alone. */
function visitUrl(text: string, chunkStart: number, colon: number, visit: LiteralVisitor): number {
  const schemeChars = text.slice(Math.max(chunkStart, colon - 5), colon).toLowerCase() === 'https' ? 5 : 4;
  let end = colon + 3;
  while (end < text.length && !endsUrl(text.charCodeAt(end))) end++;
  let last = end;
  while (last > colon + 3 && '.,;:!?*'.includes(text[last - 1] as string)) last--;
  if (last > colon + 3) visitSized(text, colon - schemeChars, last, MIN_CHARS, 'url', visit);
  for (let index = colon + 3; index < end; ) {
    if (classAt(text, index) === 0) index++;
    else {
      let bits = 0;
      const start = index;
      for (let bit = classAt(text, index); bit !== 0 && index < end; bit = classAt(text, ++index))
        bits |= bit;
      visitWithin(text, start, index, bits, visit);
    }
  }
  return end;
}

function endsUrl(code: number): boolean {
  return code <= 32 || code >= 127 || URL_END.has(code);
}

/** `2016A&A...594A..13P`: 19 characters, year first. Returns its end, or `start` where there is none. */
function visitBibcode(text: string, start: number, visit: LiteralVisitor): number {
  const candidate = text.slice(start, start + BIBCODE_CHARS);
  const end = start + BIBCODE_CHARS;
  if (!/^[12]\d{3}[A-Za-z][A-Za-z0-9.&]{8}[A-Za-z0-9.][0-9.]{4}[A-Z]$/.test(candidate)) return start;
  if ((classAt(text, end) & WORD) !== 0) return start;
  visit(candidate, 'identifier');
  return end;
}

/** All literals of one chunk, the longest first. */
function visitWithin(text: string, start: number, end: number, bits: number, visit: LiteralVisitor): void {
  // The usual word of prose: nothing in it can be a literal.
  if (bits === LOWER || end - start < MIN_DENSE_CHARS) return;
  if (bits & SLASH) visitPath(text, start, end, visit);
  if (bits & DOT) visitFiles(text, start, end, visit);
  if (bits & AT && !(bits & SLASH)) visitEmail(text, start, end, visit);
  if (bits & (UPPER | DIGIT | UNDERSCORE)) visitWords(text, start, end, visit);
}

/** With a slash and something behind it; signs of a diff before it and punctuation behind it are not part of it. */
function visitPath(text: string, start: number, end: number, visit: LiteralVisitor): void {
  let first = start;
  let last = end;
  while (first < last && (classAt(text, first) === HYPHEN || text[first] === '+')) first++;
  while (last > first && (classAt(text, last - 1) & WORD) === 0) last--;
  const slash = text.indexOf('/', first);
  if (slash !== -1 && slash < last) visitSized(text, first, last, MIN_CHARS, 'path', visit);
}

/** Names with a usual extension: each run without a slash. */
function visitFiles(text: string, start: number, end: number, visit: LiteralVisitor): void {
  for (let index = start; index < end; index++) {
    let first = index;
    while (index < end && (classAt(text, index) & (SLASH | AT | EXTRA)) === 0) index++;
    let last = index;
    while (last > first && (classAt(text, last - 1) & WORD) === 0) last--;
    while (first < last && (classAt(text, first) & WORD) === 0) first++;
    const dot = extensionDot(text, first, last);
    if (dot !== -1 && hasUsualExtension(text.slice(dot + 1, last)))
      visitSized(text, first, last, MIN_CHARS, 'file', visit);
  }
}

/** Looks back no further than an extension is long. */
function extensionDot(text: string, first: number, last: number): number {
  for (let index = last - 1; index > first && last - index <= MAX_EXTENSION_CHARS + 1; index--) {
    if (text[index] === '.') return index;
  }
  return -1;
}

function visitEmail(text: string, start: number, end: number, visit: LiteralVisitor): void {
  if (end - start > MAX_CHARS * 2) return;
  const match = /[A-Za-z0-9][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/.exec(
    text.slice(start, end),
  );
  if (match !== null && match[0].length <= MAX_CHARS) visit(match[0], 'email');
}
