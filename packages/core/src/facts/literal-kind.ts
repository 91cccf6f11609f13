/** The kinds of literal, and how long one may be (quality.md 2, Need). */

export type LiteralKind =
  | 'url'
  | 'path'
  | 'file'
  | 'email'
  /** Letters and digits mixed: `SI5UKW`, `gpt-4o`, a bibcode. */
  | 'identifier'
  | 'snake'
  | 'camel'
  | 'number'
  | 'title';

/** Told of each literal where it stands; what contains another comes before it, and a literal comes as often as it stands there. */
export type LiteralVisitor = (literal: string, kind: LiteralKind) => void;

export const MIN_CHARS = 5;
/** Numbers and mixed identifiers say much in few characters. */
export const MIN_DENSE_CHARS = 4;
export const MAX_CHARS = 120;

/** Tells of the literal between `start` and `end`, if its length is that of one. */
export function visitSized(
  text: string,
  start: number,
  end: number,
  minChars: number,
  kind: LiteralKind,
  visit: LiteralVisitor,
): void {
  if (end - start >= minChars && end - start <= MAX_CHARS) visit(text.slice(start, end), kind);
}
