/** Joins halves of surrogate pairs that a provider sent in two pieces; replaces those that never find their half. */

const HIGH_SURROGATE_FIRST = 0xd800;
const HIGH_SURROGATE_LAST = 0xdbff;

export type SurrogateJoiner = {
  /** `piece` with what was held back before it, without a half pair at its end. Well-formed. */
  push(piece: string): string;
  /** What is still held back: a half without its half, as U+FFFD. */
  end(): string;
};

/** For text that travels on piece by piece: every piece given out is well-formed Unicode by itself. */
export function createSurrogateJoiner(): SurrogateJoiner {
  let held = '';
  return {
    push(piece) {
      const text = held + piece;
      const last = text.charCodeAt(text.length - 1);
      const cut = last >= HIGH_SURROGATE_FIRST && last <= HIGH_SURROGATE_LAST ? text.length - 1 : text.length;
      held = text.slice(cut);
      return text.slice(0, cut).toWellFormed();
    },
    end() {
      const rest = held.toWellFormed();
      held = '';
      return rest;
    },
  };
}
