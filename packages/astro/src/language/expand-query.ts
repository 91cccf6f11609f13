/** A question made a search: courtesies go, Chinese terms gain their English ones by longest match. */
import { z } from 'zod';
import termsFile from './terms.data.json' with { type: 'json' };

/** Chinese → English. */
export const ASTRONOMY_TERMS: ReadonlyMap<string, string> = new Map(
  Object.entries(z.record(z.string(), z.string()).parse(termsFile)),
);

export type ExpandedQuery = {
  /** The query without stop phrases; the query itself where nothing else is in it. */
  readonly text: string;
  /** `text` with every known Chinese term replaced and the Chinese that is left taken out; may be empty. */
  readonly english: string;
  /** The terms found, in their order. */
  readonly terms: readonly { readonly zh: string; readonly en: string }[];
};

/** What people say around what they look for. Longer ones first, so that no rest is left of them. */
const STOP_PHRASES_ZH = [
  '请帮我',
  '帮我',
  '请问',
  '请你',
  '请',
  '我想知道',
  '我想了解',
  '想知道',
  '想了解',
  '告诉我',
  '介绍一下',
  '介绍',
  '说说',
  '查一下',
  '查找',
  '检索',
  '搜索',
  '看看',
  '有哪些',
  '哪些',
  '是什么',
  '什么是',
  '为什么',
  '什么',
  '怎么样',
  '怎样',
  '如何',
  '是否',
  '有没有',
  '多少',
  '关于',
  '相关的',
  '相关',
  '最新的',
  '最新',
  '用哪个值',
  '哪个值',
  '哪一个',
  '哪个',
  '有多大',
  '多大',
  '有多少',
  '为何',
  '目前',
  '现在',
  '测量值',
  '测量',
  '测得',
  '数值',
  '取值',
  '结果',
  '上面',
  '上有',
  '中有',
  '存在',
  '论文',
  '文献',
  '文章',
  '研究',
  '吗',
  '呢',
  '的',
  '了',
  '和',
  '与',
].sort((a, b) => b.length - a.length);

const STOP_PHRASES_EN =
  /\b(?:please|can you|could you|what (?:is|are|was|were)|tell me(?: about)?|show me|find(?: me)?|search for|look for|give me|papers? (?:on|about)|articles? (?:on|about)|literature on|how (?:does|do|is|are)|why (?:does|do|is|are)|is there|are there)\b/gi;

const HAN = /\p{Script=Han}/u;
const LONGEST_TERM = Math.max(...[...ASTRONOMY_TERMS.keys()].map((term) => term.length));

export function expandQuery(
  query: string,
  terms: ReadonlyMap<string, string> = ASTRONOMY_TERMS,
): ExpandedQuery {
  const normal = query.normalize('NFKC').trim();
  const plain = tidy(normal.replace(STOP_PHRASES_EN, ' '));
  const found: { readonly zh: string; readonly en: string }[] = [];
  const text: string[] = [];
  const english: string[] = [];
  let position = 0;
  while (position < plain.length) {
    const term = longestTerm(plain, position, terms);
    if (term !== null) {
      found.push(term);
      text.push(term.zh);
      english.push(` ${term.en} `);
      position += term.zh.length;
      continue;
    }
    const stop = STOP_PHRASES_ZH.find((phrase) => plain.startsWith(phrase, position));
    if (stop !== undefined) {
      text.push(' ');
      english.push(' ');
      position += stop.length;
      continue;
    }
    const character = plain.charAt(position);
    text.push(character);
    english.push(HAN.test(character) ? ' ' : character);
    position += 1;
  }
  return { text: tidy(text.join('')) || normal, english: tidy(english.join('')), terms: found };
}

function longestTerm(text: string, position: number, terms: ReadonlyMap<string, string>) {
  const longest = Math.min(terms === ASTRONOMY_TERMS ? LONGEST_TERM : text.length, text.length - position);
  for (let length = longest; length > 0; length--) {
    const zh = text.slice(position, position + length);
    const en = terms.get(zh);
    if (en !== undefined) return { zh, en };
  }
  return null;
}

/** Question marks and doubled blanks say nothing. */
function tidy(text: string): string {
  return text
    .replace(/[?？!！，。；]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
