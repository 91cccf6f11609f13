/** `search_papers`: finds works on the reference shelf; says that it is offline and what that leaves out (astro.md, Tools). */
import type { Language } from '@astroresearch/core';
import { defineTool, type Tool } from '@astroresearch/runtime';
import { z } from 'zod';
import type { ShelfHit, ShelfSearch } from '../shelf/search.ts';
import { failure, success, withAsManyAsFit } from './result.ts';

const input = z.object({
  query: z.string().min(1).max(500).meta({
    description: 'What to look for, in English or Chinese; also an identifier',
    zh: '检索内容，中文或英文，也可以是论文编号',
    example: 'NGC 1068 neutrino',
  }),
  source: z.enum(['auto', 'offline', 'ads', 'arxiv']).optional().meta({
    description: 'Where to look; auto: wherever is open',
    zh: '检索来源；auto 表示使用可用的来源',
  }),
  author: z.string().min(1).optional().meta({
    description: 'Family name; ^Name: first author',
    zh: '作者姓氏；^姓氏 表示第一作者',
  }),
  object: z.string().min(1).optional().meta({
    description: 'Name of an object the work is about',
    zh: '论文所涉及天体的名称',
  }),
  year_from: z.int().min(1600).max(2200).optional().meta({ description: 'First year', zh: '起始年份' }),
  year_to: z.int().min(1600).max(2200).optional().meta({ description: 'Last year', zh: '截止年份' }),
  category: z.string().min(1).optional().meta({
    description: 'arXiv category, such as astro-ph.HE',
    zh: 'arXiv 分类，例如 astro-ph.HE',
  }),
  refereed: z
    .boolean()
    .optional()
    .meta({ description: 'true: only refereed works', zh: 'true 表示只要经过同行评议的' }),
  sort: z.enum(['relevance', 'date', 'citations']).optional().meta({ description: 'Order', zh: '排序方式' }),
  limit: z
    .int()
    .min(1)
    .max(20)
    .optional()
    .meta({ description: 'How many, 8 if left out', zh: '返回数量，默认 8' }),
  offset: z.int().min(0).optional().meta({ description: 'How many to skip', zh: '跳过的数量' }),
});

type Input = z.infer<typeof input>;

const DEFAULT_LIMIT = 8;

/** What `search` looks through; told to the model. */
export type ShelfExtent = {
  readonly works: number;
  /** Month of the newest e-print, `2026-03`; null where no record tells. */
  readonly newest: string | null;
};

export function searchPapersTool(parts: {
  readonly search: ShelfSearch;
  readonly extent: ShelfExtent;
}): Tool<Input> {
  return defineTool({
    name: 'search_papers',
    summary: { zh: '检索天文学论文', en: 'Search papers of astronomy' },
    description: {
      zh: '按关键词、作者、天体、年份检索论文，返回编号、题名、作者、年份和一句说明，不含摘要。目前只检索随产品附带的离线参考书架。',
      en: 'Finds papers by words, author, object and year. Returns identifiers, title, authors, year and one sentence each, no abstracts. At present it looks through the offline reference shelf that ships with the product.',
    },
    input,
    effect: 'read',
    async execute(asked, context) {
      const { language } = context;
      if (asked.source === 'ads' || asked.source === 'arxiv') {
        return failure('offline', networkText(asked.source)[language], tryOfflineText[language]);
      }
      if (asked.year_from !== undefined && asked.year_to !== undefined && asked.year_from > asked.year_to) {
        return failure('invalid_argument', yearsText[language], swapYearsText[language]);
      }
      const offset = asked.offset ?? 0;
      const { total, hits } = parts.search.search({
        query: asked.query,
        ...(asked.author === undefined ? {} : { author: asked.author }),
        ...(asked.object === undefined ? {} : { object: asked.object }),
        ...(asked.year_from === undefined ? {} : { yearFrom: asked.year_from }),
        ...(asked.year_to === undefined ? {} : { yearTo: asked.year_to }),
        ...(asked.category === undefined ? {} : { category: asked.category }),
        ...(asked.refereed === undefined ? {} : { refereed: asked.refereed }),
        sort: asked.sort === 'date' ? 'date' : 'relevance',
        limit: asked.limit ?? DEFAULT_LIMIT,
        offset,
        language,
      });
      if (total === 0) {
        return failure('not_found', nothingText(parts.extent.works)[language], otherWordsText[language]);
      }
      if (hits.length === 0) {
        return failure(
          'invalid_argument',
          pastTheEndText(offset, total)[language],
          smallerOffsetText[language],
        );
      }
      const best = Math.max(...hits.map(({ score }) => score));
      const note = noteText(parts.extent.works, asked, language);
      return withAsManyAsFit(context, hits.length, (shown) =>
        success(
          context,
          { total, shelf: parts.extent, papers: hits.slice(0, shown).map((hit) => paperOf(hit, best)) },
          {
            note,
            ...(offset + shown < total
              ? { truncated: { shown, total, how_to_get_more: `offset=${offset + shown}` } }
              : {}),
          },
        ),
      );
    },
  });
}

/** `relevance`: 1 for the best hit of this answer; comparable within it only. Left out where nothing was asked. */
function paperOf({ work, snippet, score }: ShelfHit, best: number) {
  const { id, arxiv_id, bibcode, doi, title, authors, n_authors, year } = work;
  // The DOI of an e-print says no more than its arXiv id.
  const published = doi?.startsWith('10.48550/') === true ? undefined : doi;
  const relevance = best > 0 ? Number((score / best).toFixed(2)) : undefined;
  return {
    id,
    arxiv_id,
    bibcode,
    doi: published,
    title,
    authors,
    n_authors,
    year,
    relevance,
    snippet,
    have_pdf: false,
  };
}

function noteText(shelfSize: number, asked: Input, language: Language): string {
  const parts = [
    {
      zh: `离线：只检索了随产品附带的 ${shelfSize} 篇参考书架，没有联网，不代表全部文献；没有摘要、引用数和全文。`,
      en: `Offline: only the ${shelfSize} works of the reference shelf were searched, not the network and not the whole literature; no abstracts, citation counts or full texts.`,
    },
    asked.sort === 'citations'
      ? {
          zh: '离线时没有引用数，已按相关性排序。',
          en: 'Citation counts are not known offline: sorted by relevance.',
        }
      : null,
    asked.author === undefined
      ? null
      : { zh: '每篇只记录前三位作者。', en: 'Only the first three authors of each work are on record.' },
    asked.refereed === undefined
      ? null
      : {
          zh: '2025–2026 年预印本的评议状态未知，按未评议处理。',
          en: 'Whether the e-prints of 2025 and 2026 are refereed is not known; they count as not refereed.',
        },
  ];
  return parts.flatMap((part) => part?.[language] ?? []).join(language === 'zh' ? '' : ' ');
}

const networkText = (source: string) => ({
  zh: `当前没有联网检索，无法使用 source=${source}。`,
  en: `There is no network search here: source=${source} is not available.`,
});
const tryOfflineText = {
  zh: '去掉 source 或改为 offline，检索离线参考书架。',
  en: 'Leave source out or set it to offline to search the reference shelf.',
};
const yearsText = { zh: 'year_from 晚于 year_to。', en: 'year_from is later than year_to.' };
const swapYearsText = { zh: '交换两个年份。', en: 'Swap the two years.' };
const nothingText = (shelfSize: number) => ({
  zh: `离线参考书架（${shelfSize} 篇）中没有符合条件的论文。这不说明文献中没有。`,
  en: `No work on the offline reference shelf (${shelfSize} works) fits. That does not mean that the literature has none.`,
});
const otherWordsText = {
  zh: '换用更少或更一般的词，或去掉部分筛选条件；仍没有结果时请如实说明未找到来源。',
  en: 'Use fewer or more general words, or drop a filter; if there is still nothing, say that no source was found.',
};
const pastTheEndText = (offset: number, total: number) => ({
  zh: `offset ${offset} 超出结果末尾：共 ${total} 篇。`,
  en: `offset ${offset} is past the end: there are ${total} works.`,
});
const smallerOffsetText = { zh: '使用更小的 offset。', en: 'Use a smaller offset.' };
