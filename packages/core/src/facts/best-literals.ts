/** The literals of one text that are worth a place in its placeholder (context.md 5; quality.md 2). */
import type { LiteralKind } from './literal-kind.ts';
import { scanLiterals } from './scan-literals.ts';

/** How likely a literal of a kind is to be used again: what names a thing comes before what measures one. */
const KIND_WEIGHT: Readonly<Record<LiteralKind, number>> = {
  url: 3,
  path: 4,
  file: 3,
  email: 3,
  identifier: 3,
  snake: 3,
  camel: 3,
  number: 1,
  title: 4,
};

/**
 * At most `count`, the best first: by kind, by how often each stands there, `known` ones (used before by the model or
 * a person) far ahead. One that stands within another that was chosen is left out: whoever reads the longer reads it.
 */
export function bestLiterals(
  text: string,
  count: number,
  known: (literal: string) => boolean = () => false,
): readonly string[] {
  const scores = new Map<string, number>();
  let order = 0;
  scanLiterals(text, (literal, kind) => {
    const seen = scores.get(literal);
    // Early ones first among equals: the head of a result says what it is about.
    scores.set(literal, seen === undefined ? KIND_WEIGHT[kind] - order++ * 1e-6 : seen + 0.5);
  });
  const ranked = [...scores]
    .map(([literal, score]) => ({ literal, score: known(literal) ? score + 10 : score }))
    .toSorted((a, b) => b.score - a.score);
  const chosen: string[] = [];
  for (const { literal } of ranked) {
    if (chosen.length === count) break;
    if (!chosen.some((other) => other.includes(literal))) chosen.push(literal);
  }
  return chosen;
}
