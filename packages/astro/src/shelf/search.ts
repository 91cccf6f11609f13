/** Search over the shelf: full text with Chinese questions put into English, filters, order, pages (astro.md, search_papers). */
import type { Language } from '@astroresearch/core';
import { expandQuery } from '../language/expand-query.ts';
import { authorMatches, type NamesOf, objectMatches } from './filters.ts';
import type { FullTextIndex } from './full-text-index.ts';
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
export type ShelfAnswer = { readonly total: number; readonly hits: readonly ShelfHit[] };

export type ShelfSearch = { search(query: ShelfQuery): ShelfAnswer };

type Found = { readonly work: Work; readonly score: number; readonly complete: boolean };

/** Fills `index` with the works at the first search, so that a start costs nothing; nobody else may add to it. `namesOf` gives all names of an object. */
export function createShelfSearch(
  works: readonly Work[],
  index: FullTextIndex,
  namesOf: NamesOf = (name) => [name],
): ShelfSearch {
  const byId = new Map(works.map((work) => [work.id, work]));
  let filled = false;
  const fill = () => {
    if (!filled) for (const work of works) index.add(work.id, fieldsOf(work, namesOf));
    filled = true;
  };

  const ranked = (query: string): readonly Found[] =>
    index.search(query, works.length).flatMap(({ id, score, complete }) => {
      const work = byId.get(id);
      return work === undefined ? [] : [{ work, score, complete }];
    });

  return {
    search(asked) {
      fill();
      const found = asked.query.trim() === '' ? everything(works) : inBothLanguages(asked.query, ranked);
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

/** What the English form finds comes first: titles are English. The words as typed add what only a Chinese note says. */
function inBothLanguages(query: string, ranked: (query: string) => readonly Found[]): readonly Found[] {
  const { text, english, terms } = expandQuery(query);
  const inEnglish = english === '' ? [] : ranked(english);
  if (terms.length === 0 && inEnglish.length > 0) return inEnglish;
  const known = new Set(inEnglish.map(({ work }) => work.id));
  return [...inEnglish, ...ranked(text).filter(({ work }) => !known.has(work.id))];
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

const everything = (works: readonly Work[]): readonly Found[] =>
  [...works].sort(newestFirst).map((work) => ({ work, score: 0, complete: true }));

/** By year, then by arXiv id, which grows with the date within one year. */
function newestFirst(a: Work, b: Work): number {
  return (
    b.year - a.year || (a.arxiv_id === b.arxiv_id ? 0 : (b.arxiv_id ?? '') > (a.arxiv_id ?? '') ? 1 : -1)
  );
}
