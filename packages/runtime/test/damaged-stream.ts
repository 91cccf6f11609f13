/** Streams drawn from a seed and damaged: bytes flipped, taken out, put in, said twice; cut into pieces and cut off. */
import type { NeutralReply, StreamDialect } from '../src/llm/stream-dialects.contract.ts';

export type DamagedStream = {
  readonly pieces: readonly Uint8Array[];
  /** The bytes before the damage, in one piece. */
  readonly original: Uint8Array;
  readonly damages: number;
  /** The connection stays open and silent behind the last piece. */
  readonly held: boolean;
};

type Draw = {
  /** A whole number from 0 to `end` - 1. */
  below(end: number): number;
  one<T>(list: readonly T[]): T;
};

const TEXTS = ['Galaxies', '距离 ', '👩‍🚀', 'e\u0301', '"\\', '\n\ndata: ', '\ud83d', '\udd2d', '\u2028', ''];
const ARGUMENTS = ['{"q":"', '距', '"}', '{}', '{', '[1]', '\\u00', 'null', ''];
const NAMES = ['search', '', '名'];
const SPLICES = [
  '\n',
  '\n\n',
  '\r',
  ':',
  'data:',
  'event: error\n',
  '\ufeff',
  '\0',
  '[DONE]',
  '{"error":',
  '"',
  '}',
];

/** The same stream for the same numbers, on every machine. */
export function drawDamagedStream(dialect: StreamDialect, seed: number, nth: number): DamagedStream {
  const draw = drawFrom(Math.imul(seed ^ Math.imul(nth + 1, 0x9e3779b1), 0x85ebca6b));
  const original = new TextEncoder().encode(dialect.render(drawReply(draw)).join(''));
  const damages = draw.below(5);
  let bytes: Uint8Array = original;
  for (let done = 0; done < damages; done++) bytes = damaged(bytes, draw);
  return { original, damages, pieces: cut(bytes, draw), held: draw.below(4) === 0 };
}

function drawReply(draw: Draw): NeutralReply {
  const some = (list: readonly string[]) => Array.from({ length: draw.below(4) }, () => draw.one(list));
  const count = () => draw.one<unknown>([0, 12, 1e9, -1, null, '7']);
  return {
    reasoning: some(TEXTS),
    text: some(TEXTS),
    calls: Array.from({ length: draw.below(4) }, () => ({
      id: draw.one(['a', 'b', '', null]),
      name: draw.one(NAMES),
      pieces: some(ARGUMENTS),
      ...(draw.below(3) === 0 ? { index: draw.below(3) } : {}),
    })),
    ...(draw.below(2) === 0 ? { usage: { prompt: count(), completion: count(), cached: count() } } : {}),
    finish: draw.one(['stop', 'tool-calls', 'length', null] as const),
    done: draw.below(4) > 0,
  };
}

function damaged(bytes: Uint8Array, draw: Draw): Uint8Array {
  const at = draw.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + draw.below(draw.one([1, 8, 200])));
  const [before, hit, after] = [bytes.subarray(0, at), bytes.slice(at, end), bytes.subarray(end)];
  switch (draw.one(['flip', 'delete', 'insert', 'repeat', 'truncate'] as const)) {
    case 'flip':
      return joined(
        before,
        hit.map((byte) => byte ^ (1 << draw.below(8))),
        after,
      );
    case 'delete':
      return joined(before, after);
    case 'insert':
      return joined(before, new TextEncoder().encode(draw.one(SPLICES)), hit, after);
    case 'repeat':
      return joined(before, hit, hit, after);
    case 'truncate':
      return before;
  }
}

function cut(bytes: Uint8Array, draw: Draw): readonly Uint8Array[] {
  const longest = draw.one([1, 7, 100, Infinity]);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = longest === Infinity ? bytes.length : 1 + draw.below(longest);
    pieces.push(bytes.slice(at, at + length));
    at += length;
  }
  return pieces;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Mulberry32: small, and even enough for this. */
function drawFrom(seed: number): Draw {
  let state = seed;
  const below = (end: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  };
  return { below, one: (list) => list[below(list.length)] as (typeof list)[number] };
}
