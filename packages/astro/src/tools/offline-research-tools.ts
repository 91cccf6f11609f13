/** The tools that work on a plane, over the data that ships with the product. */
import type { Tool } from '@astroresearch/runtime';
import { isInsidePhrase } from '../language/concepts.ts';
import { createNameFinder } from '../objects/catalogue-names.ts';
import { createObjectResolver } from '../objects/resolve-object.ts';
import { shippedObjects } from '../objects/shipped-objects.ts';
import type { FullTextIndex } from '../shelf/full-text-index.ts';
import { createShelfSearch } from '../shelf/search.ts';
import { createShelf } from '../shelf/shelf.ts';
import { shippedWorks } from '../shelf/shipped-works.ts';
import type { Work } from '../shelf/work.ts';
import { exportBibtexTool } from './export-bibtex.ts';
import { getPaperMetadataTool } from './get-paper-metadata.ts';
import { resolveTargetTool } from './resolve-target.ts';
import { searchPapersTool } from './search-papers.ts';

/** `index`: empty, and nobody else's; it is filled here. */
export function offlineResearchTools(index: FullTextIndex): readonly Tool[] {
  const shelf = createShelf(shippedWorks());
  const objects = shippedObjects();
  const resolver = createObjectResolver(objects);
  const namesIn = createNameFinder(objects, isInsidePhrase);
  const search = createShelfSearch(shelf.works, index, { namesOf: resolver.namesOf, namesIn });
  return [
    searchPapersTool({ search, extent: { works: shelf.works.length, newest: newestMonth(shelf.works) } }),
    getPaperMetadataTool({ shelf }),
    resolveTargetTool({ resolver, objects }),
    exportBibtexTool({ shelf }),
  ];
}

/** By arXiv id, which begins with year and month since 2007. */
function newestMonth(works: readonly Work[]): string | null {
  const newest = works
    .flatMap(({ arxiv_id }) => /^\d{4}(?=\.)/.exec(arxiv_id ?? '')?.[0] ?? [])
    .sort()
    .at(-1);
  return newest === undefined ? null : `20${newest.slice(0, 2)}-${newest.slice(2)}`;
}
