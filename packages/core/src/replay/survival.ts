/** Whether a view still shows what the next message uses (quality.md 2, Survives, With recall). */
import { literalsOf } from '../facts/collect-facts.ts';
import { coverage, type Message, ordinalOf, textOf } from '../message/message.ts';
import type { Need } from './needs.ts';

/** `view`: it stands there. `recall`: it stands in an original whose ref the view shows. */
export type Fate = 'view' | 'recall' | 'lost';

/** Upper ends of the classes that survival is told by; the last one is open. */
const DISTANCE_LIMITS = [10, 50, 200] as const;

export function distanceClass(distance: number): 0 | 1 | 2 | 3 {
  const [near, middle, far] = DISTANCE_LIMITS;
  return distance <= near ? 0 : distance <= middle ? 1 : distance <= far ? 2 : 3;
}

/** Remembers what stands in each message, so that a step costs what is new in its view. */
export class SurvivalCheck {
  readonly #originalParts: ReadonlySet<Message['parts']>;
  readonly #storedOrdinal: (index: number) => number;
  readonly #literals = new WeakMap<Message, ReadonlySet<string>>();
  readonly #refs = new WeakMap<Message, readonly (readonly [number, number])[]>();

  constructor(originals: readonly Message[], storedOrdinal: (index: number) => number) {
    this.#originalParts = new Set(originals.map(({ parts }) => parts));
    this.#storedOrdinal = storedOrdinal;
  }

  /** One fate for each need, in order. */
  fates(view: readonly Message[], needs: readonly Need[]): readonly Fate[] {
    return needs.map((need) => {
      if (view.some((message) => this.#literalsOf(message).has(need.literal))) return 'view';
      return this.#canBeRecalled(view, need) ? 'recall' : 'lost';
    });
  }

  #canBeRecalled(view: readonly Message[], { occurrences }: Need): boolean {
    const ordinals = occurrences.map(this.#storedOrdinal);
    return view.some((message) =>
      this.#refsOf(message).some(([from, to]) =>
        ordinals.some((ordinal) => from <= ordinal && ordinal <= to),
      ),
    );
  }

  #literalsOf(message: Message): ReadonlySet<string> {
    return remembered(this.#literals, message, () => new Set(literalsOf(message)));
  }

  /** Ranges of ordinals that a message shows the refs of; an original shows none, whatever its text says. */
  #refsOf(message: Message): readonly (readonly [number, number])[] {
    return remembered(this.#refs, message, () => {
      if (this.#originalParts.has(message.parts)) return [];
      const text = textOf(message);
      const shown = [...text.matchAll(/\bm(\d+)(?:-m(\d+))?\b/g)].map(
        ([, from, to]) => [Number(from), Number(to ?? from)] as const,
      );
      const { from, to } = coverage(message);
      return from === to ? shown : [...shown, [ordinalOf(from), ordinalOf(to)] as const];
    });
  }
}

function remembered<T>(memory: WeakMap<Message, T>, message: Message, make: () => T): T {
  const known = memory.get(message);
  if (known !== undefined) return known;
  const made = make();
  memory.set(message, made);
  return made;
}
