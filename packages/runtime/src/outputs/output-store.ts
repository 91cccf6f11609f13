/** Where whole tool outputs lie when a message shows only head and tail; named by their content (runtime.md). */

/** Most of one output that is kept, UTF-8 bytes. */
export const MAX_KEPT_OUTPUT_BYTES = 10_000_000;

export type SavedOutput = {
  /** Of the kept text; its name in the store. */
  readonly sha256: string;
  /** Characters (code points) kept. */
  readonly chars: number;
  /** Characters that were too many to keep; the kept text then ends with a line that says so. */
  readonly lostChars: number;
};

export type OutputPage =
  | { readonly kind: 'page'; readonly text: string; readonly totalChars: number }
  /** Nothing of that name was saved, or it was removed. */
  | { readonly kind: 'missing' }
  /** What lies there is not what was saved. */
  | { readonly kind: 'damaged' };

/**
 * Contract, the same for every store (`output-store.contract.ts`): saving the same text again gives the same name
 * and costs nothing; what `save` resolved for is on disk; `read` never gives a text that was not saved. Lone
 * surrogates come back as U+FFFD. Both reject only where storage itself fails.
 */
export interface OutputStore {
  save(text: string): Promise<SavedOutput>;
  /** `limitChars` characters from `offsetChars` on; past the end the page is empty. */
  read(sha256: string, offsetChars: number, limitChars: number): Promise<OutputPage>;
}
