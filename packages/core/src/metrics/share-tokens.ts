/** Shares a total among weights in whole tokens: everything that is in a request weighs something. */

/**
 * One share a weight, each at least 1, in proportion; their sum is `total`, unless that is less than one for each.
 * What rounding gives to one share, those behind it make up for.
 */
export function shareTokens(weights: readonly number[], total: number): readonly number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  let given = 0;
  return weights.map((weight, index) => {
    passed += weight;
    const behind = weights.length - 1 - index;
    const due = total * (whole === 0 ? (index + 1) / weights.length : passed / whole);
    // Each of those behind needs its one as well.
    const share = Math.max(1, Math.min(Math.round(due), total - behind) - given);
    given += share;
    return share;
  });
}
