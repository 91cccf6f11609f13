/** What a question is about, and what it takes over from the questions before it. */
import { type Concept, conceptsOf } from '../language/concepts.ts';
import type { NameInText, NamesIn } from '../objects/catalogue-names.ts';
import { asksForBibtex } from './bibtex-request.ts';
import type { Conversation } from './conversation.ts';

export type Subject = {
  /** What to search for: the question, with the subject of an earlier one where it needs that. */
  readonly query: string;
  /** The objects of `query`. */
  readonly objects: readonly string[];
  /** Asks for more of what was found before, and for nothing else. */
  readonly goesOn: boolean;
};

const GOES_ON =
  /^(?:请)?(?:继续|接着|还有(?:别的|其他|更多)?|更多|下一页|continue|go on|more|next)(?:说|吗|呢|please)?[\s.。!！?？]*$/i;
/** Words that point back. */
const POINTS_BACK =
  /(?:它|其(?!他|它|中|实)|该|这个|这些|那个|上述|上面|同一|^那么?|^还有|^另外)|\b(?:its?|their|they|them|this|that|these|those|same|above)\b|^(?:and|what about|how about|also)\b/i;
/** Properties: of an object that has to be named somewhere. */
const PROPERTIES = new Set(
  'distance mass radius age period redshift temperature density luminosity velocity coordinates epoch magnitude uncertainty significance size position error'.split(
    ' ',
  ),
);
/** As many terms of an earlier question as a follow-up takes over. */
const MAX_TERMS = 3;
const MIN_TOPIC_CHARS = 3;

export function subjectOf(conversation: Conversation, namesIn: NamesIn): Subject {
  const { question, earlierQuestions } = conversation;
  const names = namesIn(question);
  if (GOES_ON.test(question)) {
    const earlier = earlierQuestions.findLast((one) => !GOES_ON.test(one) && !asksForBibtex(one));
    if (earlier !== undefined) {
      const before = subjectOf(
        { ...conversation, question: earlier, earlierQuestions: questionsBefore(earlier, earlierQuestions) },
        namesIn,
      );
      return { ...before, goesOn: true };
    }
  }
  const needsMore = names.length === 0 && (POINTS_BACK.test(question) || !hasTopic(conceptsOf(question)));
  const taken = needsMore ? subjectBefore(earlierQuestions, namesIn) : null;
  const query = taken === null ? question : `${taken} ${question}`;
  return { query, objects: namesIn(query).map(({ name }) => name), goesOn: false };
}

/** The query of a second try, where the question alone found nothing; null: there is nothing to add. */
export function widerQuery(conversation: Conversation, query: string, namesIn: NamesIn): string | null {
  if (GOES_ON.test(conversation.question)) return null;
  const taken = subjectBefore(conversation.earlierQuestions, namesIn);
  if (taken !== null && !query.startsWith(taken)) return `${taken} ${conversation.question}`;
  // Fewer words: only what the language of the field knows.
  const concepts = withNames(query, namesIn);
  const telling = concepts.filter(({ kind }) => kind === 'name' || kind === 'term');
  if (telling.length === 0 || telling.length === concepts.length) return null;
  return telling.map(({ alternatives: [first] }) => first).join(' ');
}

/** The concepts of a text, its object names among them. */
export function withNames(text: string, namesIn: NamesIn): readonly Concept[] {
  const named = namesIn(text).map(({ name, start, end }: NameInText) => ({ start, end, names: [name] }));
  return conceptsOf(text, named);
}

/** The names of the newest earlier question that has any; else the terms of the newest that has a topic. */
function subjectBefore(earlier: readonly string[], namesIn: NamesIn): string | null {
  const usual = earlier.filter((question) => !asksForBibtex(question));
  for (const question of [...usual].reverse()) {
    const names = namesIn(question).map(({ name }) => name);
    if (names.length > 0) return names.join(' ');
    const concepts = conceptsOf(question).filter(isTopic);
    const terms = concepts.filter(({ kind }) => kind === 'term');
    const topics = terms.length > 0 ? terms : concepts;
    if (topics.length > 0)
      return topics
        .slice(0, MAX_TERMS)
        .map(({ alternatives: [first] }) => first)
        .join(' ');
  }
  return null;
}

function questionsBefore(question: string, all: readonly string[]): readonly string[] {
  return all.slice(0, all.lastIndexOf(question));
}

/** Whether a question says by itself what it is about. */
export const hasTopic = (concepts: readonly Concept[]) => concepts.some(isTopic);

/** Chinese that no term covers is a topic where it is longer than a courtesy. */
function isTopic({ kind, alternatives: [first] }: Concept): boolean {
  if (kind === 'rest') return first.length >= MIN_TOPIC_CHARS;
  return kind !== 'name' && !PROPERTIES.has(first.toLowerCase());
}
