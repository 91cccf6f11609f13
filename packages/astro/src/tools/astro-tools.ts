/** The astronomer's tools, in the order in which the model sees them. */
import { createFullTextIndex, type Tool } from '@astroresearch/runtime';
import { offlineResearchTools } from './offline-research-tools.ts';

export function astroTools(): readonly Tool[] {
  return offlineResearchTools(createFullTextIndex());
}
