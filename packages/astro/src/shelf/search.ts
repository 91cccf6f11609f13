/** Search over the shelf: full text with Chinese questions put into English, filters, order, pages (astro.md, search_papers). */
import type { Language } from '@astroresearch/core';
import { conceptsOf } from '../language/concepts.ts';
import { expandQuery } from '../language/expand-query.ts';
import type { NamesIn } from '../objects/catalogue-names.ts';
import { authorMatches, type NamesOf, objectMatches } from './filters.ts';
import type { FullTextIndex } from './full-text-index.ts';
import { type Ranked, rankWorks } from './relevance.ts';
import { snippet } from './snippet.ts';
import type { Work } from './work.ts';

export type ShelfQuery = {
  /** Empty: everything that passes the filters, newest first. */
  readonly query: string;
  /** A family name; `^` in front: of the first author. Only the authors that the record lists can match. */
  readonly author?: string;
  /** Any name of it that `namesOf` knows. */
  readonly object?: string;
  readonly yearFrom?: number;
  readonly yearTo?: number;
  /** arXiv category; `astro-ph` also finds its parts. */
  readonly category?: string;
  /** `true`: only works known to be refereed. `false`: the others. */
  readonly refereed?: boolean;
  readonly sort: 'relevance' | 'date';
  readonly limit: number;
  readonly offset: number;
  readonly language: Language;
};

export type ShelfHit = {
  readonly work: Work;
  /** More is better; 0 where nothing was asked. Comparable within one answer only. */
  readonly score: number;
  /** Holds every word of the query. */
  readonly complete: boolean;
  readonly snippet: string;
};

/** `total` counts what passed the filters, not the page. */
type ShelfAnswer = { readonly total: number; readonly hits: readonly ShelfHit[] };

export type ShelfSearch = { search(query: ShelfQuery): ShelfAnswer };

/** What the search has to know of object names. */
export type ObjectNames = {
  /** All names of the object that has this name. */
  readonly namesOf: NamesOf;
  /** The names of objects in a text. */
  readonly namesIn: NamesIn;
};

/** Fills `index` with the works at the first search, so that a start costs nothing; nobody else may add to it. */
export function createShelfSearch(
  works: readonly Work[],
  index: FullTextIndex,
  { namesOf, namesIn }: ObjectNames,
): ShelfSearch {
  let filled = false;
  const fill = () => {
    if (!filled) for (const work of works) index.add(work.id, fieldsOf(work, namesOf));
    filled = true;
  };

  const ranked = (question: string): readonly Ranked[] => {
    const named = namesIn(question).map(({ name, start, end }) => ({
      start,
      end,
      names: [name, ...namesOf(name).filter((other) => other !== name)],
    }));
    return rankWorks(works, conceptsOf(question, named), (phrase) => index.search(phrase, works.length));
  };

  return {
    search(asked) {
      fill();
      const found = asked.query.trim() === '' ? everything(works) : ranked(asked.query);
      const passed = found.filter(({ work }) => passes(work, asked, namesOf));
      const ordered =
        asked.sort === 'date' ? [...passed].sort((a, b) => newestFirst(a.work, b.work)) : passed;
      const { english } = expandQuery(asked.query);
      const words = asked.language === 'en' && english !== '' ? english : asked.query;
      return {
        total: ordered.length,
        hits: ordered
          .slice(asked.offset, asked.offset + asked.limit)
          .map((hit) => ({ ...hit, snippet: snippet(hit.work, words, asked.language) })),
      };
    },
  };
}

function passes(work: Work, asked: ShelfQuery, namesOf: NamesOf): boolean {
  if (asked.author !== undefined && !authorMatches(work, asked.author)) return false;
  if (asked.object !== undefined && !objectMatches(work, asked.object, namesOf)) return false;
  if (asked.yearFrom !== undefined && work.year < asked.yearFrom) return false;
  if (asked.yearTo !== undefined && work.year > asked.yearTo) return false;
  if (asked.category !== undefined && !categoryMatches(work, asked.category)) return false;
  return asked.refereed === undefined || (work.refereed === true) === asked.refereed;
}

function categoryMatches(work: Work, category: string): boolean {
  const wanted = category.toLowerCase();
  const own = work.category?.toLowerCase();
  return own === wanted || own?.startsWith(`${wanted}.`) === true;
}

function fieldsOf(work: Work, namesOf: NamesOf) {
  const objects = new Set(work.objects.flatMap((name) => [name, ...namesOf(name)]));
  return {
    title: work.title,
    names: [work.id, work.bibcode, work.doi, ...work.authors, ...objects, ...work.topics].join(' '),
    body: [work.note_en, work.note_zh, ...work.quantities.flatMap(({ name, method }) => [name, method])].join(
      ' ',
    ),
  };
}

const everything = (works: readonly Work[]): readonly Ranked[] =>
  [...works].sort(newestFirst).map((work) => ({ work, score: 0, complete: true }));

/** By year, then by arXiv id, which grows with the date within one year. */
function newestFirst(a: Work, b: Work): number {
  return (
    b.year - a.year || (a.arxiv_id === b.arxiv_id ? 0 : (b.arxiv_id ?? '') > (a.arxiv_id ?? '') ? 1 : -1)
  );
}
