/** The piece of a text that shows a query best: around a phrase, else where most of its terms stand close together. */
import { countCharacters, offsetOf } from '../tools/output.ts';
import { fold, type Query } from './query.ts';

export type Excerpt = {
  readonly text: string;
  /** Where it begins in the text, characters. */
  readonly offset: number;
};

/** Places of one term that are looked at. */
const MAX_PLACES = 300;
/** How far an excerpt's beginning moves to stand at a word, UTF-16 units. */
const TO_WORD = 24;
/** Folded piece by piece to find a place again; a piece ends between characters. */
const PIECE = 4096;

/** What folding takes together: letters with their accents, syllables. */
const CLUSTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

type Place = { readonly at: number; readonly term: number };

/**
 * `text` from the excerpt's offset on begins with the excerpt. `searched`: as long as the text, blank where nothing
 * is to be found. `weights`: what each term tells.
 */
export function excerptOf(
  text: string,
  searched: string,
  query: Query,
  weights: readonly number[],
  chars: number,
): Excerpt {
  const folded = fold(searched);
  const at = originalPlace(searched, folded, bestPlace(folded, query, weights, chars));
  const latest = Math.max(0, text.length - chars);
  const start = atWord(text, Math.min(Math.max(0, at - Math.floor(chars / 3)), latest));
  const rest = text.slice(start);
  return { text: rest.slice(0, offsetOf(rest, chars)), offset: countCharacters(text.slice(0, start)) };
}

function bestPlace(folded: string, query: Query, weights: readonly number[], chars: number): number {
  const longestFirst = query.phrases.toSorted((a, b) => b.length - a.length);
  for (const phrase of longestFirst) {
    const at = folded.indexOf(phrase);
    if (at >= 0) return at;
  }
  const places = query.terms.flatMap((term, index) => placesOf(folded, term.folded, index));
  places.sort((a, b) => a.at - b.at);
  let best = { at: places[0]?.at ?? 0, weight: 0 };
  for (const [index, { at }] of places.entries()) {
    const near = new Set<number>();
    for (let other = index; (places[other]?.at ?? Infinity) < at + chars / 2; other++) {
      near.add(places[other]?.term ?? 0);
    }
    const weight = [...near].reduce((total, term) => total + (weights[term] ?? 0), 0);
    if (weight > best.weight) best = { at, weight };
  }
  return best.at;
}

function placesOf(folded: string, term: string, index: number): readonly Place[] {
  const places: Place[] = [];
  for (
    let at = folded.indexOf(term);
    at >= 0 && places.length < MAX_PLACES;
    at = folded.indexOf(term, at + 1)
  ) {
    places.push({ at, term: index });
  }
  return places;
}

/** The place in `text` that became `place` of `folded`; folding seldom changes lengths. */
function originalPlace(text: string, folded: string, place: number): number {
  if (text.length === folded.length) return place;
  let passed = 0;
  for (let at = 0; at < text.length; ) {
    const piece = wholeCharacters(text, at, PIECE);
    const length = fold(piece).length;
    if (passed + length > place) return at + placeInPiece(piece, place - passed);
    passed += length;
    at += piece.length;
  }
  return Math.max(0, text.length - 1);
}

function placeInPiece(piece: string, place: number): number {
  let passed = 0;
  for (const { segment, index } of CLUSTERS.segment(piece)) {
    passed += fold(segment).length;
    if (passed > place) return index;
  }
  return piece.length;
}

function wholeCharacters(text: string, from: number, length: number): string {
  const piece = text.slice(from, from + length);
  return piece.length > 1 && /[\uD800-\uDBFF]$/.test(piece) ? piece.slice(0, -1) : piece;
}

/** Behind the next blank, if one is near; never inside a surrogate pair. */
function atWord(text: string, start: number): number {
  if (start === 0) return 0;
  const blank = text.slice(start, start + TO_WORD).search(/\s/);
  if (blank >= 0) return start + blank + 1;
  return /^[\uDC00-\uDFFF]/.test(text.slice(start)) ? start + 1 : start;
}
