/** A read-only, ordered list that grows at its end in constant time (style.md 3; quality.md 3: flat planning cost). */

/**
 * Several lists may share one backing array: each sees only its own length, and an append that is not at the
 * backing's end copies. So a value once handed out never changes, and folding a log costs no more than its length.
 */
export class History<T> implements Iterable<T> {
  readonly #items: T[];
  readonly length: number;

  private constructor(items: T[], length: number) {
    this.#items = items;
    this.length = length;
  }

  static empty<T>(): History<T> {
    return new History<T>([], 0);
  }

  static of<T>(items: Iterable<T>): History<T> {
    const copy = [...items];
    return new History(copy, copy.length);
  }

  append(item: T): History<T> {
    const items = this.length === this.#items.length ? this.#items : this.#items.slice(0, this.length);
    items.push(item);
    return new History(items, items.length);
  }

  /** The item at `index`; negative counts from the end. */
  at(index: number): T | undefined {
    const position = index < 0 ? this.length + index : index;
    return position < this.length ? this.#items[position] : undefined;
  }

  /** True when this begins with all of `other`; at no cost where one grew out of the other. */
  startsWith(other: History<T>): boolean {
    if (other.length > this.length) return false;
    if (other.#items === this.#items) return true;
    for (let index = 0; index < other.length; index++) {
      if (other.#items[index] !== this.#items[index]) return false;
    }
    return true;
  }

  slice(from: number, to = this.length): readonly T[] {
    return this.#items.slice(from, Math.min(to, this.length));
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let index = 0; index < this.length; index++) yield this.#items[index] as T;
  }

  toArray(): readonly T[] {
    return this.slice(0);
  }

  /** So that two lists with equal items compare and print as equal. */
  toJSON(): readonly T[] {
    return this.toArray();
  }
}
