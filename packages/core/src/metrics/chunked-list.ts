/** A persistent list for folds: a change copies one small chunk, never the whole (ui.md: 10 000 items stay smooth). */

/** Items of a chunk. A reader that remembers chunks by identity looks at one chunk per change. */
const CHUNK_ITEMS = 32;

/**
 * Append and replace return a new list and share every untouched chunk with the old one, which stays as it was.
 * An item's index never changes, so it may serve as the item's key.
 */
export class ChunkedList<T> implements Iterable<T> {
  readonly chunks: readonly (readonly T[])[];
  readonly length: number;

  private constructor(chunks: readonly (readonly T[])[], length: number) {
    this.chunks = chunks;
    this.length = length;
  }

  static empty<T>(): ChunkedList<T> {
    return new ChunkedList<T>([], 0);
  }

  /** Where the chunk at `position` begins. */
  static startOf(position: number): number {
    return position * CHUNK_ITEMS;
  }

  append(item: T): ChunkedList<T> {
    const last = this.chunks.at(-1);
    const chunks =
      last === undefined || last.length === CHUNK_ITEMS
        ? [...this.chunks, [item]]
        : this.chunks.with(-1, [...last, item]);
    return new ChunkedList(chunks, this.length + 1);
  }

  /** The list itself where `index` does not exist. */
  replace(index: number, item: T): ChunkedList<T> {
    const position = Math.floor(index / CHUNK_ITEMS);
    const chunk = this.chunks[position];
    if (chunk === undefined || index >= this.length) return this;
    const chunks = this.chunks.with(position, chunk.with(index % CHUNK_ITEMS, item));
    return new ChunkedList(chunks, this.length);
  }

  at(index: number): T | undefined {
    return this.chunks[Math.floor(index / CHUNK_ITEMS)]?.[index % CHUNK_ITEMS];
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const chunk of this.chunks) yield* chunk;
  }

  /** So that a list prints as its items. */
  toJSON(): readonly T[] {
    return [...this];
  }
}
