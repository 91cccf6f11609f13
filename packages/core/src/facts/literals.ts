/** The literals of a text: what a model copies rather than rewords (quality.md 2, Need). */
import { scanLiterals } from './scan-literals.ts';

/**
 * URLs; paths with a slash; file names with a usual extension; e-mail addresses; identifiers that mix letters and
 * digits; snake_case; camelCase and PascalCase of 8 characters and more; numbers of 4 digits and more or with 2
 * decimals and more; terms in 《》「」. 5 to 120 characters, numbers and mixed identifiers from 4. JSON escapes count as
 * blanks. A literal may stand within another (`a.ts` in `src/a.ts`): both are found. Distinct, in order of first
 * occurrence, the longer one first where both begin together.
 */
export function literalsIn(text: string): readonly string[] {
  const found = new Set<string>();
  scanLiterals(text, (literal) => found.add(literal));
  return [...found];
}
