/** Bytes that differ each time and are the same in each run: randomness for tests. */
import type { RandomBytes } from '../tickets.ts';

export function countingBytes(): RandomBytes {
  let calls = 0;
  return (count) => {
    calls += 1;
    return Uint8Array.from({ length: count }, (_, index) => (calls >> (8 * (index % 4))) & 255);
  };
}
