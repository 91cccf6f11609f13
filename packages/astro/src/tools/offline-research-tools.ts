/** The tools that work on a plane, over the data that ships with the product. */
import type { Tool } from '@astroresearch/runtime';
import { createObjectResolver } from '../objects/resolve-object.ts';
import { shippedObjects } from '../objects/shipped-objects.ts';
import type { FullTextIndex } from '../shelf/full-text-index.ts';
import { createShelfSearch } from '../shelf/search.ts';
import { createShelf } from '../shelf/shelf.ts';
import { shippedWorks } from '../shelf/shipped-works.ts';
import { exportBibtexTool } from './export-bibtex.ts';
import { getPaperMetadataTool } from './get-paper-metadata.ts';
import { resolveTargetTool } from './resolve-target.ts';
import { searchPapersTool } from './search-papers.ts';

/** `index`: empty, and nobody else's; it is filled here. */
export function offlineResearchTools(index: FullTextIndex): readonly Tool[] {
  const shelf = createShelf(shippedWorks());
  const objects = shippedObjects();
  const resolver = createObjectResolver(objects);
  const search = createShelfSearch(shelf.works, index, resolver.namesOf);
  return [
    searchPapersTool({ search, shelfSize: shelf.works.length }),
    getPaperMetadataTool({ shelf }),
    resolveTargetTool({ resolver, objects }),
    exportBibtexTool({ shelf }),
  ];
}
