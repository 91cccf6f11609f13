/** The active branch of a file whose lines form a tree: from the newest leaf back to the root. */

/** An unknown parent, or one that was met already, ends the branch. */
export function branchTo<T>(
  leaf: T,
  byId: ReadonlyMap<string, T>,
  parentOf: (entry: T) => string | null,
): ReadonlySet<T> {
  const branch = new Set<T>();
  for (let entry: T | undefined = leaf; entry !== undefined && !branch.has(entry); ) {
    branch.add(entry);
    const parent = parentOf(entry);
    entry = parent === null ? undefined : byId.get(parent);
  }
  return branch;
}
