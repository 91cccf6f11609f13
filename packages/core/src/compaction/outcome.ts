/** What came of a compaction, as types (context.md 5, Outcomes). */
import type { LayerName } from '../view/edit.ts';

export type CompactionTrigger = 'auto' | 'manual' | 'recovery';

export type CompactionOutcome =
  /** It was within the target already: nothing was changed. */
  | 'fits'
  | 'compacted'
  /** The layers were not enough: the largest messages were cut to head and tail as well. */
  | 'projected'
  /** What cannot go is too large. */
  | 'cannot_fit'
  /** There is too little to gain. */
  | 'nothing_to_do';

export type LayerReport = {
  readonly layer: LayerName;
  readonly edits: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
};
