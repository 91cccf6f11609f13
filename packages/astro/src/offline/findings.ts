/** Chooses what answers each part of a question: a comparison, a work's sentence with its values, or the target itself. */
import { type Concept, phraseKey } from '../language/concepts.ts';
import type { NamesIn } from '../objects/catalogue-names.ts';
import { nameKey } from '../objects/name-key.ts';
import type { Comparison } from './comparison.ts';
import { withNames } from './subject.ts';
import type { PaperQuantity, PaperRecord, Target } from './tool-results.ts';

export type Finding =
  | { readonly kind: 'comparison'; readonly comparison: Comparison }
  | {
      readonly kind: 'paper';
      readonly paper: PaperRecord;
      /** One sentence of the note. */
      readonly sentence: string;
      readonly quantities: readonly PaperQuantity[];
    }
  | { readonly kind: 'target'; readonly target: Target };

export type Evidence = {
  /** Best first. */
  readonly papers: readonly PaperRecord[];
  readonly comparisons: readonly Comparison[];
  readonly targets: readonly Target[];
};

const MAX_FINDINGS = 3;
const MAX_QUANTITIES = 3;
/** What a record of the tables answers by itself. */
const TARGET_PROPERTIES = new Set(['coordinate', 'position', 'redshift', 'magnitude', 'epoch', 'ra', 'dec']);

/** At most three, each part of the question served before any is served twice. */
export function findingsFor(asked: string, evidence: Evidence, namesIn: NamesIn): readonly Finding[] {
  const named = new Set(namesIn(asked).map(({ name }) => nameKey(name)));
  for (const { main_id, aliases } of evidence.targets) {
    for (const name of [main_id, ...aliases]) named.add(nameKey(name));
  }
  const parts = partsOf(asked, namesIn).map((concepts) => findingsOf(concepts, evidence, named, namesIn));
  const chosen: Finding[] = [];
  const taken = new Set<unknown>();
  for (let round = 0; round < MAX_FINDINGS; round++) {
    for (const findings of parts) {
      const next = findings.find((finding) => !taken.has(subjectOfFinding(finding)));
      if (next === undefined || chosen.length >= MAX_FINDINGS) continue;
      taken.add(subjectOfFinding(next));
      chosen.push(next);
    }
  }
  return chosen;
}

function subjectOfFinding(finding: Finding): unknown {
  switch (finding.kind) {
    case 'comparison':
      return finding.comparison;
    case 'paper':
      return finding.paper;
    case 'target':
      return finding.target;
    default:
      return finding satisfies never;
  }
}

/** The concepts of each part, names left out; a part without a term of its own belongs to the one before. */
function partsOf(asked: string, namesIn: NamesIn): readonly (readonly Concept[])[] {
  const parts: Concept[][] = [];
  for (const clause of asked.split(/[?？!！;；。\n]|,\s*and\b|，/)) {
    const concepts = withNames(clause, namesIn).filter(({ kind }) => kind !== 'name');
    const last = parts.at(-1);
    if (concepts.some(({ kind }) => kind === 'term') || last === undefined) parts.push([...concepts]);
    else last.push(...concepts);
  }
  const telling = parts.filter((concepts) => concepts.length > 0);
  return telling.length > 0 ? telling : [[]];
}

function findingsOf(
  concepts: readonly Concept[],
  { papers, comparisons, targets }: Evidence,
  named: ReadonlySet<string>,
  namesIn: NamesIn,
): readonly Finding[] {
  const asksForTarget =
    concepts.length === 0 ||
    concepts.some(({ alternatives: [first] }) => TARGET_PROPERTIES.has(phraseKey(first)));
  const ofTargets = asksForTarget ? targets.map((target): Finding => ({ kind: 'target', target })) : [];
  const compared = comparisons.filter(({ name }) => concepts.some((concept) => holds(name, concept)));
  const sides = compared.flatMap(({ differences: [widest] }) =>
    widest === undefined ? [] : [widest.high.paper.id, widest.low.paper.id],
  );
  const scored = papers
    .map((paper, rank) => ({
      paper,
      score: paperScore(paper, concepts, named) + (sides.includes(paper.id) ? SIDE_BONUS : 0),
      rank,
    }))
    .filter(({ score }) => score > 0 || concepts.length === 0)
    .sort((a, b) => b.score - a.score || a.rank - b.rank);
  return [
    ...ofTargets,
    ...compared.map((comparison): Finding => ({ kind: 'comparison', comparison })),
    ...scored.map(({ paper }) => paperFinding(paper, concepts, named, namesIn)),
  ];
}

/** The two works of the widest difference speak before any other. */
const SIDE_BONUS = 10;
const MEASURED_SCORE = 3;
const TITLE_SCORE = 2;
const NOTE_SCORE = 2;
const OBJECT_SCORE = 1;

function paperScore(paper: PaperRecord, concepts: readonly Concept[], named: ReadonlySet<string>): number {
  const own = concepts.reduce((sum, concept) => {
    const measured = paper.quantities.some(({ name }) => holds(name, concept));
    return (
      sum +
      (measured ? MEASURED_SCORE : 0) +
      (holds(paper.title, concept) ? TITLE_SCORE : 0) +
      (holds(paper.summary, concept) ? NOTE_SCORE : 0)
    );
  }, 0);
  const onObject = paper.objects.some((name) => named.has(nameKey(name)));
  return own > 0 && onObject ? own + OBJECT_SCORE : own;
}

function paperFinding(
  paper: PaperRecord,
  concepts: readonly Concept[],
  named: ReadonlySet<string>,
  namesIn: NamesIn,
): Finding {
  const sentences = sentencesOf(paper.summary);
  const counted = sentences.map((sentence) => concepts.filter((concept) => holds(sentence, concept)).length);
  const sentence = sentences[counted.indexOf(Math.max(...counted))] ?? paper.summary;
  // A value of another object than those asked about answers nothing.
  const own = paper.quantities.filter(({ name }) => {
    const others = namesIn(name).map(({ name: other }) => nameKey(other));
    return named.size === 0 || others.length === 0 || others.some((other) => named.has(other));
  });
  const asked = own.filter(({ name }) => concepts.some((concept) => holds(name, concept)));
  const quantities = [...asked, ...own.filter((quantity) => !asked.includes(quantity))];
  return { kind: 'paper', paper, sentence, quantities: quantities.slice(0, MAX_QUANTITIES) };
}

/** Whether a text says any of the concept's phrases. */
function holds(text: string, { alternatives }: Concept): boolean {
  const key = ` ${phraseKey(text.replace(/[^\p{L}\p{N}-]+/gu, ' '))} `;
  return alternatives.some((phrase) =>
    /\p{Script=Han}/u.test(phrase) ? text.includes(phrase) : key.includes(` ${phraseKey(phrase)} `),
  );
}

export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[。！？])|(?<=[.!?])\s+(?=[\p{Lu}\d])/u)
    .filter((sentence) => sentence.trim() !== '');
}
