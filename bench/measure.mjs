/** Shared by the benchmarks: the median of several runs, and figures as a person reads them. */

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export const round = (value, digits = 3) => Number(value.toFixed(digits));
