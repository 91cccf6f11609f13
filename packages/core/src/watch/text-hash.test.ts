/** Different texts have different hashes, near ones too. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textHash } from './text-hash.ts';

describe('textHash', () => {
  it('is 16 hexadecimal digits, the same for the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(textHash(text)).toMatch(/^[0-9a-f]{16}$/);
        expect(textHash(text)).toBe(textHash(`${text} `.slice(0, -1)));
      }),
    );
  });

  it('tells 40 000 near texts apart', () => {
    const hashes = new Set<string>();
    let texts = 0;
    for (let index = 0; index < 10_000; index++) {
      for (const text of [
        `${index}`,
        `{"page":${index}}`,
        `星系 ${index}`,
        '\0'.repeat(index % 97) + index,
      ]) {
        hashes.add(textHash(text));
        texts += 1;
      }
    }
    // The last form repeats the first one where it pads with nothing.
    expect(hashes.size).toBe(texts - Math.ceil(10_000 / 97));
  });

  it('sees a swap, a changed unit and padding anywhere', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 2, maxLength: 60 }), fc.nat(), (units, at) => {
        const write = (changed: readonly number[]) => textHash(String.fromCharCode(...changed));
        const index = at % units.length;
        const changed = units.with(index, ((units[index] ?? 0) + 1) & 0xffff);
        const swapped = units.toReversed();
        expect(write(changed)).not.toBe(write(units));
        expect(write([0, ...units])).not.toBe(write(units));
        expect(write([...units, 0])).not.toBe(write(units));
        expect(write(swapped) === write(units)).toBe(swapped.join() === units.join());
      }),
      { numRuns: 1_000 },
    );
  });
});
