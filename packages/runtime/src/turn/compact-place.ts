/** Where in a session a compaction takes place: in a turn, or beside one (`turnId` null). */
import type { Language } from '@astroresearch/core';

export type CompactPlace = {
  readonly turnId: string | null;
  readonly turnIndex: number;
  readonly step: number;
  readonly model: string;
  readonly language: Language;
};
