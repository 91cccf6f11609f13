/** A memory, what may be asked of the memories, and how saving can end (runtime.md, Memory). */
import type { Bilingual } from '@astroresearch/core';

export const MEMORY_TYPES = ['user', 'feedback', 'project', 'reference'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

export type Memory = {
  readonly type: MemoryType;
  /** Unique; a slug, and the file's name without its ending. */
  readonly name: string;
  readonly content: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export type MemoryCandidate = Pick<Memory, 'type' | 'name' | 'content'> & {
  /** Replace the memory of this name where there is one. */
  readonly update: boolean;
};

export type SaveOutcome =
  | { readonly kind: 'saved' }
  | { readonly kind: 'updated' }
  /** In words for the model: what is wrong, what to do. */
  | { readonly kind: 'refused'; readonly reason: Bilingual };

/** A file that should be a memory and cannot be read as one. */
export type BrokenMemory = { readonly file: string; readonly reason: string };

export type MemoryList = {
  /** Newest change first. */
  readonly memories: readonly Memory[];
  readonly broken: readonly BrokenMemory[];
};

/** Decides whether a well-formed candidate is worth keeping beside the other memories; null: it is. */
export type MemoryGate = (candidate: MemoryCandidate, others: readonly Memory[]) => Bilingual | null;

/**
 * Contract: a memory that `save` called saved is on disk; two processes that save at the same time both succeed, or
 * the second of the same name is refused. Saving exactly what is there already is `saved` and changes nothing, so it
 * may be repeated after a crash. Both reject only where storage itself fails.
 */
export interface MemoryFiles {
  save(candidate: MemoryCandidate): Promise<SaveOutcome>;
  /** At most `count` memories; `Infinity` gives all. */
  recent(count: number): Promise<MemoryList>;
}
