/** Many invariants over one stream of generated values: generating costs more than checking. */
import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';

/**
 * Each invariant is a test of its own name, tried on as many values as the configuration says, all on the same ones.
 * One that fails is run again alone from the same seed, so that its counterexample is made small and printed.
 */
export function describeInvariants<Value>(
  about: string,
  values: fc.Arbitrary<Value>,
  invariants: Readonly<Record<string, (value: Value) => void>>,
): void {
  describe(about, () => {
    const seed = fc.readConfigureGlobal().seed ?? Math.floor(Math.random() * 2 ** 31);
    const broken = new Set<string>();

    beforeAll(() => {
      fc.assert(
        fc.property(values, (value) => {
          for (const [name, holds] of Object.entries(invariants)) {
            if (broken.has(name)) continue;
            try {
              holds(value);
            } catch {
              broken.add(name);
            }
          }
        }),
        { seed },
      );
    }, 1_200_000);

    for (const [name, holds] of Object.entries(invariants)) {
      it(name, () => {
        if (broken.has(name)) fc.assert(fc.property(values, holds), { seed });
      });
    }
  });
}
