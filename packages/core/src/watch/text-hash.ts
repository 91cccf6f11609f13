/** A short name for a text, to tell "the same as before" from "new" without keeping the text (context.md 4). */

/** 16 hexadecimal digits. */
export type TextHash = string;

/**
 * 64 bits in two lanes that mix differently, over UTF-16 code units: equal texts always, different ones practically
 * never have the same hash. Fast and pure, not cryptographic: fit for noticing repetition, not for trust.
 */
export function textHash(text: string): TextHash {
  let first = 0x811c9dc5 ^ text.length;
  let second = 0x9e3779b9;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01000193);
    first ^= first >>> 15;
    second = Math.imul(((second << 5) | (second >>> 27)) ^ unit, 0x85ebca6b);
  }
  return hex(mix(first)) + hex(mix(second));
}

/** Spreads every input bit over all 32. */
function mix(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hex(lane: number): string {
  return lane.toString(16).padStart(8, '0');
}
