/** Whether a view still shows what the next message uses (quality.md 2, Survives, With recall). */
import { literalsOf } from '../facts/collect-facts.ts';
import { coverage, type Message, ordinalOf, textOf } from '../message/message.ts';
import type { Need } from './needs.ts';

/** `view`: it stands there. `recall`: it stands in an original whose ref the view shows. */
export type Fate = 'view' | 'recall' | 'lost';

/** Upper ends of the classes that survival is told by; the last one is open. */
export const DISTANCE_LIMITS = [10, 50, 200] as const;

export function distanceClass(distance: number): 0 | 1 | 2 | 3 {
  const [near, middle, far] = DISTANCE_LIMITS;
  return distance <= near ? 0 : distance <= middle ? 1 : distance <= far ? 2 : 3;
}

/** Remembers what stands in each message, so that a step costs what is new in its view. */
export class SurvivalCheck {
  readonly #originals: readonly Message[];
  readonly #literals = new WeakMap<Message, ReadonlySet<string>>();
  readonly #refs = new WeakMap<Message, readonly (readonly [number, number])[]>();

  /** `originals[n]` is the stored message `m(n+1)`. */
  constructor(originals: readonly Message[]) {
    this.#originals = originals;
  }

  /** One fate for each need, in order. */
  fates(view: readonly Message[], needs: readonly Need[]): readonly Fate[] {
    return needs.map((need) => {
      if (view.some((message) => this.#literalsOf(message).has(need.literal))) return 'view';
      return this.#canBeRecalled(view, need) ? 'recall' : 'lost';
    });
  }

  #canBeRecalled(view: readonly Message[], { occurrences }: Need): boolean {
    return view.some((message) =>
      this.#refsOf(message).some(([from, to]) =>
        occurrences.some((index) => from <= index + 1 && index + 1 <= to),
      ),
    );
  }

  #literalsOf(message: Message): ReadonlySet<string> {
    return remembered(this.#literals, message, () => new Set(literalsOf(message)));
  }

  /** Ranges of ordinals that a message shows the refs of; an original shows none, whatever its text says. */
  #refsOf(message: Message): readonly (readonly [number, number])[] {
    return remembered(this.#refs, message, () => {
      const original = this.#originals[ordinalOf(message.id) - 1];
      if (original !== undefined && isSame(original, message)) return [];
      const text = textOf(message);
      const shown = [...text.matchAll(/\bm(\d+)(?:-m(\d+))?\b/g)].map(
        ([, from, to]) => [Number(from), Number(to ?? from)] as const,
      );
      const { from, to } = coverage(message);
      return from === to ? shown : [...shown, [ordinalOf(from), ordinalOf(to)] as const];
    });
  }
}

function isSame(original: Message, shown: Message): boolean {
  if (original === shown) return true;
  return original.role === shown.role && JSON.stringify(original.parts) === JSON.stringify(shown.parts);
}

function remembered<T>(memory: WeakMap<Message, T>, message: Message, make: () => T): T {
  const known = memory.get(message);
  if (known !== undefined) return known;
  const made = make();
  memory.set(message, made);
  return made;
}
