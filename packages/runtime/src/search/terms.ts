/** What a word is to the full-text index: identifiers stay whole, CJK goes by characters and bigrams, accents fold. */

/** Alternatives in order: arXiv ids, bibcodes, DOIs, runs of CJK, other words. */
const TOKEN =
  /(?<arxiv>(?<![\w.])\d{4}\.\d{4,5}(?:v\d+)?(?![\w.]))|(?<bibcode>(?<!\w)[12]\d{3}[a-z][a-z0-9&.]{13}[a-z.:](?!\w))|(?<doi>(?<!\w)10\.\d{4,9}\/[^\s"'<>，。；、（）]+)|(?<cjk>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+)|(?<word>[\p{L}\p{N}]+)/gu;

/** Words that say nothing about what is looked for. */
const FUNCTION_WORDS = new Set(
  'a an and are as at be by for from in into is it its of on or that the this to was were which with 的 了 和 与 及 在'.split(
    ' ',
  ),
);

/** The pieces of one word that must stand side by side in a document. Never empty. */
export type QueryUnit = readonly [string, ...string[]];

/** NFKC, lower case, no accents: two spellings of one word become equal. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/** A document's terms in their order, for the index. */
export function indexTerms(text: string): readonly string[] {
  return tokens(text).flatMap(({ kind, text: token }) => {
    if (kind === 'cjk') return cjkTerms(token);
    return kind === 'word' ? wordPieces(token) : [token];
  });
}

/** A query's units without function words (kept where nothing else is left), each once. */
export function queryUnits(query: string): readonly QueryUnit[] {
  const units = tokens(query).flatMap(({ kind, text }): readonly QueryUnit[] => {
    if (kind === 'cjk') return bigrams(text).map((gram): QueryUnit => [gram]);
    return kind === 'word' ? [wordPieces(text)] : [[text]];
  });
  const different = [...new Map(units.map((unit) => [unit.join(' '), unit])).values()];
  const telling = different.filter((unit) => !FUNCTION_WORDS.has(unit.join(' ')));
  return telling.length > 0 ? telling : different;
}

type Token = { readonly kind: 'whole' | 'cjk' | 'word'; readonly text: string };

function tokens(text: string): readonly Token[] {
  return [...fold(text).matchAll(TOKEN)].map(({ 0: match, groups }): Token => {
    if (groups?.cjk !== undefined) return { kind: 'cjk', text: match };
    if (groups?.word !== undefined) return { kind: 'word', text: match };
    // The version is no part of the id, nor is the full stop of a sentence that ends with a DOI.
    if (groups?.arxiv !== undefined) return { kind: 'whole', text: match.replace(/v\d+$/, '') };
    return { kind: 'whole', text: groups?.doi === undefined ? match : withoutClosingMarks(match) };
  });
}

/** By a loop: a regular expression that ends in `+$` takes quadratic time on a long row of marks. */
function withoutClosingMarks(doi: string): string {
  let end = doi.length;
  while (end > 0 && '.,;:)]'.includes(doi.charAt(end - 1))) end -= 1;
  return doi.slice(0, end);
}

/** `ngc1068` and `NGC 1068` are the same two pieces. */
function wordPieces(word: string): QueryUnit {
  const [first = word, ...rest] = (word.match(/\p{N}+|[^\p{N}]+/gu) ?? [word]).map(baseForm);
  return [first, ...rest];
}

/** English plurals and the two spellings of `-ization` become one form. Not a dictionary: both sides only have to agree. */
function baseForm(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/isation$/, 'ization');
}

function cjkTerms(run: string): readonly string[] {
  const characters = [...run];
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

function bigrams(run: string): readonly string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(0, -1).map((character, index) => character + (characters[index + 1] ?? ''));
}
