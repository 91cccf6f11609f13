/** Which known names are nearest to one that nobody knows: edit distance, blind to case and separators. */

/** Longer names are cut before they are compared: the cost stays bounded whatever a model invents. */
const MAX_COMPARED_CHARS = 64;

/** At most `count` of `known`, nearest first; equal distances in the order of `known`. */
export function nearestNames(name: string, known: readonly string[], count: number): readonly string[] {
  const wanted = comparable(name);
  return known
    .map((candidate, index) => ({ candidate, index, distance: editDistance(wanted, comparable(candidate)) }))
    .sort((a, b) => a.distance - b.distance || a.index - b.index)
    .slice(0, Math.max(0, count))
    .map(({ candidate }) => candidate);
}

function comparable(name: string): string {
  return name
    .slice(0, MAX_COMPARED_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Levenshtein: insertions, deletions and replacements of one UTF-16 unit that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
