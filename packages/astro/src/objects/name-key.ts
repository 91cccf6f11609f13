/** One key for every spelling of an object's name. */

/** No blanks, no case, no accents, no zeros in front of numbers, Messier as M. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[‐-―−]/g, '-')
    .replace(/[’‘`ʻʼ]/g, "'")
    .replace(/^(?:messier|梅西耶(?:天体|星体)?)(?=\s*\d)/, 'm')
    .replace(/\s+/g, '')
    .replace(/(?<=^[a-z]{1,4})0+(?=\d)/, '');
}
