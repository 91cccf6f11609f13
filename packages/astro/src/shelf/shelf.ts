/** The shelf: works by whatever form of identifier somebody has. */
import { arxivIdOfBibcode, type PaperIdentifier, parseIdentifier } from '../citation/identifier.ts';
import type { Work } from './work.ts';

export type Shelf = {
  readonly works: readonly Work[];
  /** Null: not here, or no identifier. Any form: arXiv id with or without version, DOI, bibcode, URL. */
  byId(text: string): Work | null;
};

/** Where two works claim one identifier the first keeps it. */
export function createShelf(works: readonly Work[]): Shelf {
  const byKey = new Map<string, Work>();
  for (const work of works) {
    for (const key of keysOf(work)) if (!byKey.has(key)) byKey.set(key, work);
  }
  return {
    works,
    byId(text) {
      const identifier = parseIdentifier(text);
      if (identifier === null) return byKey.get(text.trim().toLowerCase()) ?? null;
      return keysFor(identifier).flatMap((key) => byKey.get(key) ?? [])[0] ?? null;
    },
  };
}

function keysOf(work: Work): readonly string[] {
  const eprintDoi = work.arxiv_id === undefined ? undefined : `10.48550/arxiv.${work.arxiv_id}`;
  return [work.id, work.arxiv_id, work.bibcode, work.doi, eprintDoi].flatMap((id) => id?.toLowerCase() ?? []);
}

/** An e-print bibcode names the same work as its arXiv id, also where the work was published since. */
function keysFor(identifier: PaperIdentifier): readonly string[] {
  switch (identifier.kind) {
    case 'arxiv':
      return [identifier.id.toLowerCase()];
    case 'doi':
      return [identifier.doi];
    case 'bibcode': {
      const eprint = arxivIdOfBibcode(identifier.bibcode);
      return [identifier.bibcode.toLowerCase(), ...(eprint === null ? [] : [eprint])];
    }
    default:
      return identifier satisfies never;
  }
}
