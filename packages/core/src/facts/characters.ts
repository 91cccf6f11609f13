/** Classes of ASCII characters as bits: what the scanner of literals reads a text by. */

export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
export const UNDERSCORE = 8;
export const DOT = 16;
export const HYPHEN = 32;
export const SLASH = 64;
export const AT = 128;
/** `~` and `+`: part of paths and addresses, of nothing else. */
export const EXTRA = 256;

export const LETTER = LOWER | UPPER;
export const ALPHANUMERIC = LETTER | DIGIT;
/** What a word is made of. */
export const WORD = ALPHANUMERIC | UNDERSCORE;

const CLASSES = new Uint16Array(128);

function assign(characters: string, bit: number): void {
  for (const character of characters) CLASSES[character.charCodeAt(0)] = bit;
}
assign('abcdefghijklmnopqrstuvwxyz', LOWER);
assign('ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER);
assign('0123456789', DIGIT);
assign('_', UNDERSCORE);
assign('.', DOT);
assign('-', HYPHEN);
assign('/', SLASH);
assign('@', AT);
assign('~+', EXTRA);

/** The class of the character at `index`; 0 for everything that ends a literal, and behind the end. */
export function classAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 128 ? (CLASSES[code] as number) : 0;
}
