/** Shared by the benchmarks: the median of several runs, and figures as a person reads them. */

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export const round = (value, digits = 3) => Number(value.toFixed(digits));

/** `runs` measurements of `work`, after one that does not count; the median, ms. */
export async function medianMs(runs, work) {
  await work();
  const times = [];
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times);
}
