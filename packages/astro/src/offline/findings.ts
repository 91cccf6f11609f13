/** Chooses what answers each part of a question: a comparison, a work's sentence with its values, or the target itself. */
import { type Concept, phraseKey } from '../language/concepts.ts';
import type { NamesIn } from '../objects/catalogue-names.ts';
import { nameKey } from '../objects/name-key.ts';
import { type Comparison, NOTABLE_SIGMA } from './comparison.ts';
import { withNames } from './subject.ts';
import type { PaperQuantity, PaperRecord, Target } from './tool-results.ts';

export type Finding =
  | { readonly kind: 'comparison'; readonly comparison: Comparison }
  | {
      readonly kind: 'paper';
      readonly paper: PaperRecord;
      /** One sentence of the note; two where the second points back, all where none is nearer to the question. */
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

/** All known keys of the objects that a question names; empty: it names none. */
export function namedObjects(
  asked: string,
  targets: readonly Target[],
  namesIn: NamesIn,
): ReadonlySet<string> {
  const names = namesIn(asked).map(({ name }) => name);
  if (names.length === 0) return new Set();
  return new Set(
    [...names, ...targets.flatMap(({ main_id, aliases }) => [main_id, ...aliases])].map(nameKey),
  );
}

/** By its list of objects; a hit without one, by its title and note. */
export function isAbout(paper: PaperRecord, named: ReadonlySet<string>, namesIn: NamesIn): boolean {
  const inText = namesIn(`${paper.title}\n${paper.summary}`).map(({ name }) => name);
  return [...paper.objects, ...inText].some((name) => named.has(nameKey(name)));
}

/** At most three, each part of the question served before any is served twice. */
export function findingsFor(asked: string, evidence: Evidence, namesIn: NamesIn): readonly Finding[] {
  const named = namedObjects(asked, evidence.targets, namesIn);
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
  const sides = compared.flatMap(({ widest }) =>
    widest === null || widest.sigma < NOTABLE_SIGMA ? [] : [widest.high.paper.id, widest.low.paper.id],
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
const VALUES_SCORE = 1;

function paperScore(paper: PaperRecord, concepts: readonly Concept[], named: ReadonlySet<string>): number {
  const own = concepts.reduce((sum, concept) => {
    const measured = paper.quantities.some(({ name }) => holds(name, concept));
    return (
      sum +
      (measured ? MEASURED_SCORE : 0) +
      (holds(identityOf(paper), concept) ? TITLE_SCORE : 0) +
      (holds(paper.summary, concept) ? NOTE_SCORE : 0)
    );
  }, 0);
  if (own === 0) return 0;
  const onObject = paper.objects.some((name) => named.has(nameKey(name)));
  return own + (onObject ? OBJECT_SCORE : 0) + (paper.quantities.length > 0 ? VALUES_SCORE : 0);
}

function identityOf({ title, authors, id, bibcode, doi }: PaperRecord): string {
  return [title, ...authors, id, bibcode, doi].join(' ');
}

const POINTS_BACK = /^(?:It|Its|They|Their|This|These|The same)\b|^(?:它|其|该|这)/;
const HAN_END = /[。！？]$/;

function paperFinding(
  paper: PaperRecord,
  concepts: readonly Concept[],
  named: ReadonlySet<string>,
  namesIn: NamesIn,
): Finding {
  const sentences = sentencesOf(paper.summary);
  const counted = sentences.map((sentence) => concepts.filter((concept) => holds(sentence, concept)).length);
  const best = counted.indexOf(Math.max(...counted));
  // A sentence that points back is nothing without the one before.
  const from = best > 0 && POINTS_BACK.test(sentences[best] ?? '') ? best - 1 : best;
  const told = sentences.slice(from, best + 1);
  const sentence = counted[best] === 0 ? paper.summary : told.join(HAN_END.test(told[0] ?? '') ? '' : ' ');
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
  const key = wordsKey(text);
  return alternatives.some((phrase) =>
    /\p{Script=Han}/u.test(phrase) ? text.includes(phrase) : key.includes(wordsKey(phrase)),
  );
}

const wordsKey = (text: string) => ` ${phraseKey(text.replace(/[^\p{L}\p{N}-]+/gu, ' '))} `;

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[。！？])|(?<=[.!?])\s+(?=[\p{Lu}\d])/u)
    .filter((sentence) => sentence.trim() !== '');
}
