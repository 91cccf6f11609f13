/** A question as the things that it is about; each with the other words that mean the same. */
import { z } from 'zod';
import { ASTRONOMY_TERMS, expandQuery } from './expand-query.ts';
import synonymsFile from './synonyms.data.json' with { type: 'json' };

export type Concept = {
  /** `name`: of an object. `term`: of the field's language. `word`: any other. `rest`: Chinese that no term covers. */
  readonly kind: 'name' | 'term' | 'word' | 'rest';
  /** Phrases; any of them stands for the concept. The first is the one of the question. */
  readonly alternatives: readonly [string, ...string[]];
};

/** Part of a question that is a name, with its other spellings. */
export type NamedThing = { readonly start: number; readonly end: number; readonly names: readonly string[] };

const GROUPS = z.array(z.array(z.string().min(1)).min(2)).parse(synonymsFile);

/** By key: the phrase as the tables write it and what means the same. */
const PHRASES = phraseTable();
/** By key: the Chinese terms for the phrase, for notes in Chinese. */
const CHINESE = chineseTable();
const LONGEST_PHRASE_WORDS = Math.max(...[...PHRASES.keys()].map((key) => key.split(' ').length));

/** Words that ask, and words that every work of the field holds; they say nothing about what is looked for. */
const SILENT_WORDS = new Set(
  `a about according all also am an and any are as at be been but by can could current currently did do does done
  each either etc ever evidence-for explain find for from get give go had has have how i if in into is it its
  itself just know known large latest list literature many may me mean means measure measured measurement
  measurements more most much my need new of on one or other our paper papers please possible really recent result
  results say says see should show so some study studies tell than that the their them then there these they thing
  this those to under up us use used using value values very was we were what when where whether which while who
  why will with would you your big good best better far now still today actually exactly long new which's`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Terms of every science: no more telling than everyday words. */
const GENERAL_TERMS = new Set(
  'evidence detection observation model simulation sample fit uncertainty significance telescope review debate disagreement disagree controversy dispute'.split(
    ' ',
  ),
);

/** In the order of the question, each once; none where nothing in it says what it is about. */
export function conceptsOf(question: string, named: readonly NamedThing[] = []): readonly Concept[] {
  const names = named.flatMap((thing): readonly Concept[] => {
    const [first, ...others] = thing.names;
    return first === undefined ? [] : [{ kind: 'name', alternatives: [first, ...others] }];
  });
  const { text, english, terms } = expandQuery(withoutNames(question, named));
  const found = [...names, ...phrasesOf(english, terms), ...unknownChinese(text, terms)];
  return [...new Map(found.map((concept) => [phraseKey(concept.alternatives[0]), concept])).values()];
}

/** True where a phrase of the tables begins at `start` and goes on after `end`. */
export function isInsidePhrase(text: string, start: number, end: number): boolean {
  const name = text.slice(start, end);
  if (HAN.test(name)) {
    return [...ASTRONOMY_TERMS.keys()].some(
      (term) => term.length > name.length && text.startsWith(term, start),
    );
  }
  const next = /^\s+([A-Za-z-]+)/.exec(text.slice(end))?.[1];
  return next !== undefined && PHRASES.has(phraseKey(`${name} ${next}`));
}

/** One key for the spellings of a phrase: no case, no hyphens, no plural. */
export function phraseKey(phrase: string): string {
  return phrase
    .toLowerCase()
    .replace(/[-‐-―\s]+/g, ' ')
    .trim()
    .split(' ')
    .map(singular)
    .join(' ');
}

const HAN = /\p{Script=Han}/u;

function withoutNames(question: string, named: readonly NamedThing[]): string {
  let rest = '';
  let position = 0;
  for (const { start, end } of named) {
    rest += `${question.slice(position, start)} `;
    position = end;
  }
  return rest + question.slice(position);
}

function phrasesOf(english: string, terms: readonly { readonly zh: string; readonly en: string }[]) {
  const words = english.split(/[\s,;:!?()[\]"“”、]+/).flatMap((word) => bareWord(word) ?? []);
  const translated = new Set(terms.map(({ en }) => phraseKey(en)));
  const concepts: Concept[] = [];
  for (let at = 0; at < words.length; ) {
    const length = longestPhrase(words, at);
    const phrase = words.slice(at, at + length).join(' ');
    const key = phraseKey(phrase);
    const others = (PHRASES.get(key) ?? []).filter((other) => phraseKey(other) !== key);
    if (length > 1 || translated.has(key) || !SILENT_WORDS.has(phrase.toLowerCase())) {
      const chinese = [phrase, ...others].flatMap((one) => CHINESE.get(phraseKey(one)) ?? []);
      const kind = PHRASES.has(key) && !GENERAL_TERMS.has(key) ? 'term' : 'word';
      concepts.push({ kind, alternatives: [phrase, ...others, ...chinese] });
    }
    at += length;
  }
  return concepts;
}

/** Words, 1 where no phrase begins at `at`. */
function longestPhrase(words: readonly string[], at: number): number {
  for (let length = Math.min(LONGEST_PHRASE_WORDS, words.length - at); length > 1; length--) {
    if (PHRASES.has(phraseKey(words.slice(at, at + length).join(' ')))) return length;
  }
  return 1;
}

/** Chinese that no term covers still stands in Chinese notes. */
function unknownChinese(text: string, terms: readonly { readonly zh: string }[]): readonly Concept[] {
  const rest = terms.reduce((left, { zh }) => left.replace(zh, ' '), text);
  return (rest.match(/\p{Script=Han}{2,}/gu) ?? []).map(
    (run): Concept => ({ kind: 'rest', alternatives: [run] }),
  );
}

function bareWord(word: string): string | null {
  const bare = word.replace(/^['.‘’]+|(?:['’]s)?['.‘’]*$/g, '');
  return /[\p{L}\p{N}]/u.test(bare) ? bare : null;
}

function singular(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1');
}

function chineseTable(): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, readonly string[]>();
  for (const [chinese, english] of ASTRONOMY_TERMS) {
    table.set(phraseKey(english), [...(table.get(phraseKey(english)) ?? []), chinese]);
  }
  return table;
}

function phraseTable(): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, readonly string[]>();
  for (const english of ASTRONOMY_TERMS.values()) table.set(phraseKey(english), [english]);
  for (const group of GROUPS) for (const phrase of group) table.set(phraseKey(phrase), group);
  return table;
}
