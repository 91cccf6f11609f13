/** `get_paper_metadata`: the whole record of a work by its identifier; free text is never guessed into a work (astro.md, Tools). */
import type { Language } from '@astroresearch/core';
import { defineTool, type Tool } from '@astroresearch/runtime';
import { z } from 'zod';
import { adsUrl } from '../citation/bibtex.ts';
import { parseIdentifier } from '../citation/identifier.ts';
import { quantityText } from '../shelf/quantity-text.ts';
import type { Shelf } from '../shelf/shelf.ts';
import type { Work } from '../shelf/work.ts';
import { failure, success, withAsManyAsFit } from './result.ts';

const FIELDS = ['authors', 'publication', 'objects', 'topics', 'quantities', 'summary', 'links'] as const;
type Field = (typeof FIELDS)[number];

const input = z.object({
  ids: z
    .array(z.string().min(1))
    .min(1)
    .max(5)
    .meta({
      description: 'arXiv ids, DOIs or bibcodes, 1 to 5',
      zh: 'arXiv 号、DOI 或 bibcode，1 到 5 个',
      example: ['2602.22407'],
    }),
  fields: z.array(z.enum(FIELDS)).min(1).optional().meta({
    description: 'Parts of the record to return; all if left out',
    zh: '返回记录的哪些部分，默认全部',
  }),
  language: z.enum(['zh', 'en']).optional().meta({
    description: 'Language of the summary; that of the session if left out',
    zh: '简介的语言，默认与会话相同',
  }),
});

export function getPaperMetadataTool(parts: { readonly shelf: Shelf }): Tool<z.infer<typeof input>> {
  return defineTool({
    name: 'get_paper_metadata',
    summary: { zh: '按编号查看论文的完整记录', en: 'Read the full record of a paper' },
    description: {
      zh: '按 arXiv 号、DOI 或 bibcode 返回论文记录：全部编号、作者、期刊、测量值（含误差和单位）、简介和链接。离线时没有摘要和版本历史。',
      en: 'Returns the record of a paper by arXiv id, DOI or bibcode: all identifiers, authors, journal, measured values with errors and units, a short note, links. Offline there is no abstract and no history of versions.',
    },
    input,
    effect: 'read',
    async execute({ ids, fields = FIELDS, language: given }, context) {
      const language = given ?? context.language;
      const asked = [...new Set(ids)].map((id) => ({ id, work: parts.shelf.byId(id) }));
      const found = new Map(asked.flatMap(({ work }) => (work === null ? [] : [[work.id, work] as const])));
      const missing = asked
        .filter(({ work }) => work === null)
        .map(({ id }) => ({ id, reason: reasonText(id, language) }));
      const works = [...found.values()];
      if (works.length === 0) {
        return failure('not_found', noneText[language], searchText[language], { not_found: missing });
      }
      return withAsManyAsFit(context, works.length, (shown) => {
        const left = works.slice(shown).map(({ id }) => id);
        return success(
          context,
          {
            papers: works.slice(0, shown).map((work) => recordOf(work, fields, language)),
            ...(missing.length > 0 ? { not_found: missing } : {}),
          },
          {
            note: noteText[language],
            ...(left.length > 0
              ? { truncated: { shown, total: works.length, how_to_get_more: `ids=${JSON.stringify(left)}` } }
              : {}),
          },
        );
      });
    },
  });
}

function recordOf(work: Work, fields: readonly Field[], language: Language) {
  const identity = {
    id: work.id,
    arxiv_id: work.arxiv_id,
    bibcode: work.bibcode,
    doi: work.doi,
    title: work.title,
    year: work.year,
  };
  const chosen = FIELDS.filter((field) => fields.includes(field)).map((field) =>
    partOf(work, field, language),
  );
  return Object.assign({}, identity, ...chosen, { checked: work.checked });
}

function partOf(work: Work, field: Field, language: Language): Readonly<Record<string, unknown>> {
  switch (field) {
    case 'authors':
      return { authors: work.authors, n_authors: work.n_authors };
    case 'publication': {
      const { journal, volume, page, refereed, category } = work;
      return { journal, volume, page, refereed: refereed ?? 'unknown', category };
    }
    case 'objects':
      return { objects: work.objects };
    case 'topics':
      return { topics: work.topics };
    case 'quantities':
      return {
        quantities: work.quantities.map((quantity) => ({
          name: quantity.name,
          symbol: quantity.symbol,
          value: quantityText(quantity),
          method: quantity.method,
          quote: quantity.quote,
        })),
      };
    case 'summary':
      return { summary: language === 'zh' ? work.note_zh : work.note_en };
    case 'links':
      return { links: linksOf(work) };
    default:
      return field satisfies never;
  }
}

function linksOf({ arxiv_id, bibcode, doi }: Work) {
  return {
    ...(arxiv_id === undefined ? {} : { arxiv: `https://arxiv.org/abs/${arxiv_id}` }),
    ...(bibcode === undefined ? {} : { ads: adsUrl(bibcode) }),
    ...(doi === undefined ? {} : { doi: `https://doi.org/${doi}` }),
  };
}

function reasonText(id: string, language: Language): string {
  const known = parseIdentifier(id) !== null;
  return known
    ? { zh: '离线参考书架中没有这篇论文', en: 'not on the offline reference shelf' }[language]
    : { zh: '不是 arXiv 号、DOI 或 bibcode', en: 'neither an arXiv id nor a DOI nor a bibcode' }[language];
}

const noneText = { zh: '没有找到所给编号的论文。', en: 'None of these identifiers was found.' };
const searchText = {
  zh: '用 search_papers 按题名或主题检索，使用其返回的编号；不要凭记忆给出编号。',
  en: 'Use search_papers with words of the title or topic and take the identifiers it returns; do not give identifiers from memory.',
};
const noteText = {
  zh: '离线记录；summary 是我们自己写的简介，不是摘要。checked 说明记录的核对方式。',
  en: 'Offline record; the summary is our own note, not the abstract. `checked` says how the record was verified.',
};
