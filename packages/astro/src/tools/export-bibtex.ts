/** `export_bibtex`: BibTeX entries of works by their identifiers, as text (astro.md, Tools). */
import { defineTool, type Tool } from '@astroresearch/runtime';
import { z } from 'zod';
import { type BibtexOptions, bibtex } from '../citation/bibtex.ts';
import type { Shelf } from '../shelf/shelf.ts';
import type { Work } from '../shelf/work.ts';
import { failure, success, withAsManyAsFit } from './result.ts';

const input = z.object({
  ids: z
    .array(z.string().min(1))
    .min(1)
    .max(200)
    .meta({
      description: 'arXiv ids, DOIs or bibcodes, 1 to 200',
      zh: 'arXiv 号、DOI 或 bibcode，1 到 200 个',
      example: ['2602.22407', '2022ApJ...934L...7R'],
    }),
  style: z.enum(['ads', 'plain']).optional().meta({
    description: 'ads: journal macros of AASTeX; plain: journal names in full',
    zh: 'ads：使用 AASTeX 期刊宏；plain：期刊全名',
  }),
  prefer: z.enum(['published', 'eprint']).optional().meta({
    description: 'Which version to cite, published if left out',
    zh: '引用哪个版本，默认已发表版本',
  }),
});

/** Returns text only; `write_file` puts it into the workspace. */
export function exportBibtexTool(parts: { readonly shelf: Shelf }): Tool<z.infer<typeof input>> {
  return defineTool({
    name: 'export_bibtex',
    summary: { zh: '导出 BibTeX', en: 'Export BibTeX' },
    description: {
      zh: '按编号导出 BibTeX：键唯一且稳定，优先已发表版本；找不到的编号列在 missing 中。只返回文本；要存为文件请再用 write_file。',
      en: 'Exports BibTeX by identifier: keys are unique and stable, the published version is preferred, identifiers not found are listed in missing. Returns text only; to keep it as a file use write_file.',
    },
    input,
    effect: 'read',
    async execute({ ids, style = 'ads', prefer = 'published' }, context) {
      const { language } = context;
      const asked = ids.map((id) => ({ id, work: parts.shelf.byId(id) }));
      const missing = [...new Set(asked.filter(({ work }) => work === null).map(({ id }) => id))];
      const works = [
        ...new Map(asked.flatMap(({ work }) => (work === null ? [] : [[work.id, work] as const]))).values(),
      ];
      if (works.length === 0) {
        return failure('not_found', noneText[language], searchText[language], {
          missing: missing.slice(0, MAX_LISTED),
        });
      }
      const options: BibtexOptions = { style, prefer };
      const lost =
        missing.length === 0 ? {} : { missing: missing.slice(0, MAX_LISTED), missing_count: missing.length };
      const note = noteText[language];
      return withAsManyAsFit(context, works.length, (shown) =>
        success(
          context,
          { bibtex: bibtex(works.slice(0, shown), options), entries: shown, ...lost },
          {
            note,
            ...(shown < works.length
              ? { truncated: { shown, total: works.length, how_to_get_more: moreText(works.slice(shown)) } }
              : {}),
          },
        ),
      );
    },
  });
}

/** As many missing ids as a result names. */
const MAX_LISTED = 50;
/** As many ids as the advice for the next call names. */
const MAX_NEXT = 20;

const moreText = (left: readonly Work[]) =>
  `ids=${JSON.stringify(left.slice(0, MAX_NEXT).map(({ id }) => id))}`;

const noneText = { zh: '没有找到所给编号的论文。', en: 'None of these identifiers was found.' };
const searchText = {
  zh: '用 search_papers 检索，使用其返回的编号。',
  en: 'Use search_papers and take the identifiers it returns.',
};
const noteText = {
  zh: '来自离线参考书架；作者超过三位的条目以 and others 结尾，定稿前请与 ADS 核对。',
  en: 'From the offline reference shelf; entries with more than three authors end in "and others": check with ADS before publishing.',
};
