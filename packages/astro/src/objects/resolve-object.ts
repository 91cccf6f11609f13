/** A name to its object: every spelling, both languages; never a guess (astro.md, resolve_target). */
import { nameKey } from './name-key.ts';
import type { SkyObject } from './sky-object.ts';

type Resolution =
  | { readonly kind: 'found'; readonly object: SkyObject }
  /** Two to five: the name fits more than one. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly SkyObject[] }
  /** At most three main names that look like what was asked for. */
  | { readonly kind: 'not-found'; readonly nearest: readonly string[] };

export type ObjectResolver = {
  resolve(name: string): Resolution;
  /** Every name of the object that has this name, the main one first; none where none or several have it. */
  namesOf(name: string): readonly string[];
};

const MAX_CANDIDATES = 5;
const MAX_NEAREST = 3;
/** Below this two names have too little in common to be offered. */
const MIN_SIMILARITY = 0.35;
/** Shorter pieces of a name fit too much. */
const MIN_PIECE_CHARS = { latin: 4, han: 2 };

export function createObjectResolver(objects: readonly SkyObject[]): ObjectResolver {
  const byKey = new Map<string, readonly SkyObject[]>();
  for (const object of objects) {
    for (const key of new Set([object.id, ...object.names].map(nameKey))) {
      byKey.set(key, [...(byKey.get(key) ?? []), object]);
    }
  }
  const keys = [...byKey.entries()];

  const resolve = (name: string): Resolution => {
    const key = nameKey(name);
    const exact = byKey.get(key) ?? [];
    const [only] = exact;
    if (only !== undefined && exact.length === 1) return { kind: 'found', object: only };
    if (exact.length > 1) return { kind: 'ambiguous', candidates: exact.slice(0, MAX_CANDIDATES) };
    const containing = [
      ...new Set(keys.filter(([known]) => isPieceOf(key, known)).flatMap(([, found]) => found)),
    ];
    if (containing.length > 1) return { kind: 'ambiguous', candidates: containing.slice(0, MAX_CANDIDATES) };
    return { kind: 'not-found', nearest: nearest(key, keys) };
  };

  return {
    resolve,
    namesOf(name) {
      const exact = byKey.get(nameKey(name)) ?? [];
      const [only] = exact;
      return only === undefined || exact.length > 1 ? [] : [only.id, ...only.names];
    },
  };
}

/** A number is never a piece: `NGC 10` is not a short form of `NGC 1068`. */
function isPieceOf(piece: string, name: string): boolean {
  const enough = /\p{Script=Han}/u.test(piece) ? MIN_PIECE_CHARS.han : MIN_PIECE_CHARS.latin;
  return piece.length >= enough && !/\d$/.test(piece) && name.includes(piece);
}

function nearest(key: string, keys: readonly (readonly [string, readonly SkyObject[]])[]): readonly string[] {
  const scored = keys
    .map(([known, found]) => ({ id: found[0]?.id ?? known, similarity: similarity(key, known) }))
    .filter((candidate) => candidate.similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity);
  return [...new Set(scored.map(({ id }) => id))].slice(0, MAX_NEAREST);
}

/** Dice's coefficient of the pairs of neighbouring characters, 0 to 1. */
function similarity(a: string, b: string): number {
  const pairs = (text: string) =>
    new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2)));
  const ofA = pairs(a);
  const ofB = pairs(b);
  const shared = [...ofA].filter((pair) => ofB.has(pair)).length;
  return ofA.size + ofB.size === 0 ? 0 : (2 * shared) / (ofA.size + ofB.size);
}
