/** The order of what a search finds: what a work is about first, then what it measured and how settled it is. */
import { type Concept, phraseKey } from '../language/concepts.ts';
import type { Quantity, Work } from './work.ts';

/** The works that hold every word of a phrase (`complete`) or some, each with how much it says about it, more is better. */
export type Matches = (phrase: string) => readonly {
  readonly id: string;
  readonly score: number;
  readonly complete: boolean;
}[];

export type Ranked = { readonly work: Work; readonly score: number; readonly complete: boolean };

/** A work below this share of what was asked (rare things weigh more) is about something else. */
const MIN_COVERAGE = 0.3;
/** How far the text decides between works that are about the same things. */
const TEXT_SHARE = 0.5;
/** How much a concept weighs, by what it is. */
const KIND_WEIGHTS: Readonly<Record<Concept['kind'], number>> = { name: 1, term: 1, word: 0.5, rest: 0.3 };
/** Added to the number of works that hold a thing, so that a thing in one work is not everything. */
const COMMON_WORKS = 8;
/** A measured value of what was asked counts up to this much, by its precision. */
const MEASURED_BONUS = 0.5;
/** A value of the object that was asked about, whatever it is of it. */
const OBJECT_BONUS = 0.1;
/** For works known to be refereed: others have checked them. */
const REFEREED_BONUS = 0.15;
/** A value with this relative error has half of the precision bonus. */
const USUAL_RELATIVE_ERROR = 0.03;
/** Words of unknown Chinese count less where only some of their pairs occur. */
const PARTIAL_SCORE = 0.5;

/** Best first; equal ones in the order of `works`. */
export function rankWorks(
  works: readonly Work[],
  concepts: readonly Concept[],
  matches: Matches,
): readonly Ranked[] {
  const asked = concepts
    .map((concept) => askedThing(concept, bestMatches(concept, matches), works.length))
    .filter(({ weight }) => weight > 0);
  const totalWeight = asked.reduce((sum, { weight }) => sum + weight, 0);
  return works
    .flatMap((work): readonly Ranked[] => {
      const held = asked.filter(({ scores }) => scores.has(work.id));
      const covered = held.reduce((sum, { weight }) => sum + weight, 0);
      if (held.length === 0 || covered < MIN_COVERAGE * totalWeight) return [];
      const about = held.reduce((sum, { weight, scores, best }) => {
        const share = (scores.get(work.id) ?? 0) / best;
        return sum + weight * (1 - TEXT_SHARE + TEXT_SHARE * share);
      }, 0);
      return [
        {
          work,
          score: (about / totalWeight) * standing(work, concepts),
          complete: held.length === asked.length,
        },
      ];
    })
    .sort((a, b) => b.score - a.score);
}

type AskedThing = {
  /** What it says about a work to hold this; 0: nothing. */
  readonly weight: number;
  readonly scores: ReadonlyMap<string, number>;
  readonly best: number;
};

/** Rare things weigh more, but a rare word of everyday no more than a term of the field. */
function askedThing({ kind }: Concept, scores: ReadonlyMap<string, number>, works: number): AskedThing {
  const rarity = Math.log(1 + works / (COMMON_WORKS + scores.size));
  const weight = kind === 'rest' && scores.size === 0 ? 0 : rarity * KIND_WEIGHTS[kind];
  return { weight, scores, best: Math.max(...scores.values(), Number.MIN_VALUE) };
}

/** Best score of each work over the alternatives. */
function bestMatches({ kind, alternatives }: Concept, matches: Matches): ReadonlyMap<string, number> {
  const best = new Map<string, number>();
  for (const phrase of alternatives) {
    for (const { id, score, complete } of matches(phrase)) {
      if (!complete && kind !== 'rest') continue;
      const counted = complete ? score : score * PARTIAL_SCORE;
      if (counted > (best.get(id) ?? -1)) best.set(id, counted);
    }
  }
  return best;
}

function standing(work: Work, concepts: readonly Concept[]): number {
  const bonuses = work.quantities.flatMap((quantity) =>
    concepts
      .filter((concept) => measures(quantity, concept))
      .map(({ kind }) => (kind === 'name' ? OBJECT_BONUS : MEASURED_BONUS * precision(quantity))),
  );
  return (1 + Math.max(0, ...bonuses)) * (work.refereed === true ? 1 + REFEREED_BONUS : 1);
}

/** The name of a quantity holds a phrase of the concept. */
function measures({ name, symbol }: Quantity, { alternatives }: Concept): boolean {
  const key = ` ${phraseKey(name)} `;
  return alternatives.some((phrase) => key.includes(` ${phraseKey(phrase)} `) || phrase === symbol);
}

/** 0.25 for a value without error, up to 1 for an exact one. */
function precision({ value, err, err_plus, err_minus, err_sys }: Quantity): number {
  const statistical = err ?? Math.max(err_plus ?? 0, err_minus ?? 0);
  const error = Math.hypot(statistical, err_sys ?? 0);
  if (error === 0 || value === 0) return 0.25;
  return Math.max(0.25, 1 / (1 + error / Math.abs(value) / USUAL_RELATIVE_ERROR));
}
