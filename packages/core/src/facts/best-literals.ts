/** Interim. */
import { literalsIn } from './literals.ts';
export function bestLiterals(text: string, count: number): readonly string[] {
  return literalsIn(text).slice(0, count);
}
