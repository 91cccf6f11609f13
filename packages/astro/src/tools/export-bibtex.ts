/** `export_bibtex`: BibTeX entries of works by their identifiers, as text or into a file of the workspace (astro.md, Tools). */
import { defineTool, type Tool } from '@astroresearch/runtime';
import { z } from 'zod';
import { type BibtexOptions, bibtex, bibtexKeys } from '../citation/bibtex.ts';
import type { Shelf } from '../shelf/shelf.ts';
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
  write_to: z.string().min(1).optional().meta({
    description: 'File of the workspace to write instead of showing the text, such as refs.bib',
    zh: '写入工作区的文件名而不显示全文，例如 refs.bib',
  }),
});

/** Its effect is the careful one: with `write_to` it replaces a file. */
export function exportBibtexTool(parts: { readonly shelf: Shelf }): Tool<z.infer<typeof input>> {
  return defineTool({
    name: 'export_bibtex',
    summary: { zh: '导出 BibTeX', en: 'Export BibTeX' },
    description: {
      zh: '按编号导出 BibTeX：键唯一且稳定，优先已发表版本；找不到的编号列在 missing 中。条目多时用 write_to 写入文件。',
      en: 'Exports BibTeX by identifier: keys are unique and stable, the published version is preferred, identifiers not found are listed in missing. For many entries write them to a file with write_to.',
    },
    input,
    effect: 'idempotent',
    async execute({ ids, style = 'ads', prefer = 'published', write_to }, context) {
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
      const keys = [...bibtexKeys(works).values()];
      const lost =
        missing.length === 0 ? {} : { missing: missing.slice(0, MAX_LISTED), missing_count: missing.length };
      const note = noteText[language];
      if (write_to !== undefined) {
        const { bytes, created } = await context.files.write(write_to, `${bibtex(works, options)}\n`);
        return success(
          context,
          { path: write_to, bytes, created, entries: works.length, keys: keys.slice(0, MAX_LISTED), ...lost },
          { note },
        );
      }
      return withAsManyAsFit(context, works.length, (shown) =>
        success(
          context,
          { bibtex: bibtex(works.slice(0, shown), options), entries: shown, ...lost },
          {
            note,
            ...(shown < works.length
              ? { truncated: { shown, total: works.length, how_to_get_more: moreText[language] } }
              : {}),
          },
        ),
      );
    },
  });
}

/** As many keys or missing ids as a result names. */
const MAX_LISTED = 50;

const noneText = { zh: '没有找到所给编号的论文。', en: 'None of these identifiers was found.' };
const searchText = {
  zh: '用 search_papers 检索，使用其返回的编号。',
  en: 'Use search_papers and take the identifiers it returns.',
};
const moreText = {
  zh: '用 write_to 写入文件，或分批导出其余编号',
  en: 'write all to a file with write_to, or export the other ids in a second call',
};
const noteText = {
  zh: '来自离线参考书架；作者超过三位的条目以 and others 结尾，定稿前请与 ADS 核对。',
  en: 'From the offline reference shelf; entries with more than three authors end in "and others": check with ADS before publishing.',
};
