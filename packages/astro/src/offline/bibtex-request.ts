/** Whether somebody asks for BibTeX, and of which works. */
import { identifierText, parseIdentifier } from '../citation/identifier.ts';

const BIBTEX = /bib\s?tex|引用条目|导出引用|参考文献条目/i;
/** What is said around such a request and names no work. */
const REQUEST_WORDS =
  /\b(?:export|references?|citations?|cited?|entry|entries|works?|articles?|bibliography|file|format|above|everything|please)\b|请|导出|生成|条目|引用|参考|文献|列表|格式|给出|给我|全部|所有|以上|上述|这些|它们|把|转成|的|为/gi;
const LINK = /\]\((https:\/\/(?:arxiv\.org\/abs|ui\.adsabs\.harvard\.edu\/abs|doi\.org)\/[^)\s]+)\)/g;

export const asksForBibtex = (question: string) => BIBTEX.test(question);

/** What the request says about the works that it wants; empty: nothing. */
export function bibtexSubject(question: string): string {
  return question
    .replace(new RegExp(BIBTEX, 'gi'), ' ')
    .replace(REQUEST_WORDS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Identifiers that stand in a question, in their order. */
export function identifiersIn(question: string): readonly string[] {
  const words = question.split(/[\s，、；。？！()（）"“”]+/).map((word) => word.replace(/[,;.:?!]+$/, ''));
  return [...new Set(words.flatMap((word) => idOf(word) ?? []))];
}

/** Identifiers of the works that answers link to, in their order. */
export function citedIn(answers: readonly string[]): readonly string[] {
  const links = answers.flatMap((answer) => [...answer.matchAll(LINK)].map((match) => match[1] ?? ''));
  return [...new Set(links.flatMap((link) => idOf(link) ?? []))];
}

function idOf(text: string): string | null {
  const identifier = parseIdentifier(text);
  return identifier === null ? null : identifierText(identifier);
}
