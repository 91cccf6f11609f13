/** BibTeX in the style of ADS from shelf records; the published version is preferred to the e-print (astro.md, BibTeX). */
import type { Work } from '../shelf/work.ts';
import { latexAuthor, latexText } from './bibtex-text.ts';
import { journalOf } from './journals.ts';

export type BibtexOptions = {
  /** `eprint`: cite the arXiv version also where a published one is known. */
  readonly prefer: 'published' | 'eprint';
  /** `plain`: journal names in full and no fields of ADS, for documents without the AASTeX macros. */
  readonly style: 'ads' | 'plain';
};

const DEFAULT_OPTIONS: BibtexOptions = { prefer: 'published', style: 'ads' };

/** One entry per work in the order given, each with the key that `bibtexKeys` gives it. A work given twice is written once. */
export function bibtex(works: readonly Work[], options: BibtexOptions = DEFAULT_OPTIONS): string {
  const different = [...new Map(works.map((work) => [work.id, work])).values()];
  const keys = bibtexKeys(different);
  return different.map((work) => entry(work, keys.get(work.id) ?? work.id, options)).join('\n\n');
}

/** Key by work id: the bibcode; without one the family name and the id, so that a key is the same in every export. */
export function bibtexKeys(works: readonly Work[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  for (const work of works) {
    if (keys.has(work.id)) continue;
    const own = work.bibcode ?? ownKey(work);
    // Two records of one bibcode: the second says by its id which it is.
    const key = taken.has(own.toLowerCase()) ? ownKey(work) : own;
    taken.add(key.toLowerCase());
    keys.set(work.id, key);
  }
  return keys;
}

function entry(work: Work, key: string, options: BibtexOptions): string {
  const published =
    work.journal !== undefined && (options.prefer === 'published' || work.arxiv_id === undefined);
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['author', `{${authors(work)}}`],
    ['title', `"{${latexText(work.title)}}"`],
    ['journal', `{${(published ? journalText(work, options) : undefined) ?? 'arXiv e-prints'}}`],
    ['year', String(work.year)],
    ['volume', published ? braced(work.volume) : undefined],
    ['eid', published || work.arxiv_id === undefined ? undefined : `{arXiv:${work.arxiv_id}}`],
    ['pages', published ? braced(work.page) : eprintPages(work)],
    ['doi', braced(published || work.doi?.startsWith('10.48550/') === true ? work.doi : eprintDoi(work))],
    ['archivePrefix', work.arxiv_id === undefined ? undefined : '{arXiv}'],
    ['eprint', braced(work.arxiv_id)],
    ['primaryClass', work.arxiv_id?.includes('/') === true ? undefined : braced(work.category)],
    [
      'adsurl',
      options.style === 'plain' || work.bibcode === undefined ? undefined : `{${adsUrl(work.bibcode)}}`,
    ],
    ['adsnote', options.style === 'plain' ? undefined : '{From the offline reference shelf}'],
  ];
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padStart(13)} = ${value}`],
  );
  return `@ARTICLE{${key},\n${lines.join(',\n')}\n}`;
}

/** The page of the work at ADS, the ampersand of a bibcode encoded. */
export function adsUrl(bibcode: string): string {
  return `https://ui.adsabs.harvard.edu/abs/${bibcode.replaceAll('&', '%26')}`;
}

function authors(work: Work): string {
  const listed = work.authors.map(latexAuthor);
  const all = work.n_authors !== undefined && work.n_authors <= work.authors.length;
  return (all ? listed : [...listed, 'others']).join(' and ');
}

function journalText(work: Work, { style }: BibtexOptions): string | undefined {
  if (work.journal === undefined) return undefined;
  const journal = journalOf(work.journal, work.page);
  if (style === 'ads' && journal?.macro !== undefined) return journal.macro;
  return latexText(journal?.name ?? work.journal);
}

const eprintPages = (work: Work) => (work.arxiv_id === undefined ? undefined : `{arXiv:${work.arxiv_id}}`);
const eprintDoi = (work: Work) =>
  work.arxiv_id === undefined ? work.doi : `10.48550/arXiv.${work.arxiv_id}`;
const braced = (text: string | undefined) => (text === undefined ? undefined : `{${text}}`);

/** Unique as the id is; no character in it that ends a BibTeX key. */
function ownKey(work: Work): string {
  const family = (work.authors[0] ?? '').split(',')[0] ?? '';
  const letters = family.normalize('NFD').replace(/[^A-Za-z]/g, '');
  return `${letters}:${work.id.replace(/[^A-Za-z0-9.:/&-]/g, '-')}`;
}
