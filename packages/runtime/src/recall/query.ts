/** What a query looks for: words as they stand, Chinese and Japanese runs by pairs of characters, and phrases. */
import { lowerAscii } from '../store/readable-text.ts';

export type QueryTerm = {
  /** As it stands in a folded text. */
  readonly folded: string;
  /** How it is likely to be written, for a search that only takes A–Z and a–z for the same. */
  readonly spellings: readonly [string, ...string[]];
  /** Spellings so rare that they are looked for only when the others find too little: full-width letters. */
  readonly rareSpellings: readonly string[];
};

export type Query = {
  readonly terms: readonly QueryTerm[];
  /** Folded: the whole query, and runs longer than their pairs. A text that has one of them counts for more. */
  readonly phrases: readonly string[];
};

const MAX_QUERY_CHARS = 500;
const MAX_TERMS = 16;

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const RUNS = new RegExp(`[${CJK}ー々]+|[^${CJK}ー々]+`, 'gu');
const IS_CJK = new RegExp(`^[${CJK}]`, 'u');
/** Also what Chinese writes between words; full-width signs are looked for before NFKC makes ASCII of them. */
const SEPARATORS = /[\s，。；、：！？（）「」『』《》〈〉【】“”‘’]+/u;
const OUTER_MARKS = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu;
/** A query is often given as a quotation. */
const OUTER_QUOTES = /^["'“”‘’«»「」『』]+|["'“”‘’«»「」『』]+$/gu;
/** Words that say nothing about what is looked for. */
const FUNCTION_WORDS = new Set(
  'a an and are as at be by for from in into is it its of on or that the this to was were what which with 的 了 和 与 及 在 是'.split(
    ' ',
  ),
);

/** NFKC, lower case. Two texts that read the same become equal; lengths may change. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** No terms: the query holds nothing that can be looked for. */
export function parseQuery(text: string): Query {
  const query = text.toWellFormed().slice(0, MAX_QUERY_CHARS).toWellFormed().trim();
  const runs = query.split(SEPARATORS).flatMap(runsOf);
  const words = runs.flatMap((run) => (IS_CJK.test(run) ? pairsOf(run) : [run]));
  // A query of marks alone is looked for as it is.
  const pieces = words.length > 0 ? words : query === '' ? [] : [query];
  const byFolded = [...new Map(pieces.map((piece) => [fold(piece), piece])).entries()];
  const telling = byFolded.filter(([folded]) => !FUNCTION_WORDS.has(folded));
  const kept = (telling.length > 0 ? telling : byFolded).slice(0, MAX_TERMS);
  const terms = kept.map(([folded, piece]) => termOf(folded, piece));
  const single = new Set(terms.map(({ folded }) => folded));
  const phrases = [query.replace(OUTER_QUOTES, ''), ...runs]
    .map(fold)
    .filter((phrase) => phrase !== '' && !single.has(phrase));
  return { terms, phrases: [...new Set(phrases)] };
}

/** A word's runs of one script class, without the marks around them. */
function runsOf(word: string): readonly string[] {
  const bare = word.replace(OUTER_MARKS, '');
  const runs = bare.match(RUNS) ?? [];
  return runs.map((run) => run.replace(OUTER_MARKS, '')).filter((run) => run !== '');
}

function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  if (characters.length <= 2) return [run];
  return characters.slice(1).map((character, index) => (characters[index] ?? '') + character);
}

function termOf(folded: string, written: string): QueryTerm {
  const plain = written.normalize('NFKC');
  const capital = (plain[0] ?? '').toUpperCase() + plain.slice(1).toLowerCase();
  const [, ...others] = different([folded, plain, written, plain.toUpperCase(), capital]);
  const spellings = [folded, ...others] as const;
  const wide = different(spellings.flatMap(fullWidthOf));
  return { folded, spellings, rareSpellings: wide.filter((rare) => !isAmong(rare, spellings)) };
}

/** Each once, where A–Z and a–z are the same. */
function different(spellings: readonly string[]): readonly string[] {
  return spellings.filter((spelling, index) => !isAmong(spelling, spellings.slice(0, index)));
}

function isAmong(spelling: string, others: readonly string[]): boolean {
  return others.some((other) => lowerAscii(other) === lowerAscii(spelling));
}

function fullWidthOf(text: string): readonly string[] {
  return [text, text.toUpperCase()].map((letters) =>
    letters.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  );
}
