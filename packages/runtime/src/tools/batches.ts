/** Which calls of one assistant message run side by side: neighbours that only read, up to eight (runtime.md). */

export const MAX_PARALLEL_CALLS = 8;

/** The calls in their order, cut into groups; a group of more than one holds parallel calls alone. */
export function batches<Call>(
  calls: readonly Call[],
  mayRunInParallel: (call: Call) => boolean,
): readonly (readonly Call[])[] {
  const groups: Call[][] = [];
  let open: Call[] | null = null;
  for (const call of calls) {
    if (!mayRunInParallel(call)) {
      groups.push([call]);
      open = null;
    } else if (open !== null && open.length < MAX_PARALLEL_CALLS) {
      open.push(call);
    } else {
      open = [call];
      groups.push(open);
    }
  }
  return groups;
}
