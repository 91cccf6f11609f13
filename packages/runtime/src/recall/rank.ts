/** Which of the messages that hold something of a query come first: those with all its terms, then by rarity and phrases. */
import { type Message, ordinalOf } from '@astroresearch/core';
import type { Query } from './query.ts';

/** What one text has of a query. */
export type Match = {
  /** Indexes into the query's terms. */
  readonly terms: readonly number[];
  readonly phrases: number;
};

export type Candidate = { readonly message: Message; readonly match: Match };

export type Ranking = {
  readonly hits: readonly Candidate[];
  /** How much each term of the query tells: the fewer messages have it, the more. */
  readonly weights: readonly number[];
};

/** A text with all phrases counts double. */
const PHRASE_FACTOR = 1;
/** What tells less than this share of the best hit, and has no more than this share of its terms, is left out. */
const WORTH_SHOWING = 0.5;

export function matchOf(folded: string, { terms, phrases }: Query): Match {
  return {
    terms: terms.flatMap((term, index) => (folded.includes(term.folded) ? [index] : [])),
    phrases: phrases.filter((phrase) => folded.includes(phrase)).length,
  };
}

export function isComplete(match: Match, query: Query): boolean {
  return match.terms.length === query.terms.length;
}

/** `messages`: how many there are, found or not. Equal ones: the newest first. */
export function rank(candidates: readonly Candidate[], query: Query, messages: number): Ranking {
  const found = candidates.filter(({ match }) => match.terms.length > 0);
  const weights = query.terms.map((_, index) => {
    const having = found.filter(({ match }) => match.terms.includes(index)).length;
    return Math.log(1 + Math.max(messages, found.length) / Math.max(1, having));
  });
  const all = sum(weights);
  const scored = found.map((candidate) => {
    const { terms, phrases } = candidate.match;
    const phraseShare = query.phrases.length === 0 ? 0 : phrases / query.phrases.length;
    const score = sum(terms.map((index) => weights[index] ?? 0)) + PHRASE_FACTOR * all * phraseShare;
    return { candidate, score, complete: isComplete(candidate.match, query) ? 1 : 0 };
  });
  scored.sort(
    (a, b) =>
      b.complete - a.complete ||
      b.score - a.score ||
      ordinalOf(b.candidate.message.id) - ordinalOf(a.candidate.message.id),
  );
  const bestScore = Math.max(0, ...scored.map(({ score }) => score));
  const mostTerms = Math.max(0, ...found.map(({ match }) => match.terms.length));
  const shown = scored.filter(
    ({ score, candidate }) =>
      score >= bestScore * WORTH_SHOWING || candidate.match.terms.length > mostTerms * WORTH_SHOWING,
  );
  return { hits: shown.map(({ candidate }) => candidate), weights };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
