import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInsidePhrase } from '../language/concepts.ts';
import { createNameFinder } from './catalogue-names.ts';
import { createObjectResolver } from './resolve-object.ts';
import { shippedObjects } from './shipped-objects.ts';

const objects = shippedObjects();
const namesIn = createNameFinder(objects, isInsidePhrase);
const { resolve } = createObjectResolver(objects);
const found = (text: string) => namesIn(text).map(({ name }) => name);

describe('catalogue names', () => {
  it.each([
    ['NGC 1068 是否为中微子源？', ['NGC 1068']],
    ['比较NGC1068和M 77的距离', ['NGC1068']],
    ['Is K2-18 b habitable, and what of TRAPPIST-1e?', ['K2-18 b', 'TRAPPIST-1e']],
    ['HD 209458 b and HIP 57939', ['HD 209458 b', 'HIP 57939']],
    ['the Hulse-Taylor binary PSR B1913+16', ['Hulse-Taylor binary']],
    ['3I/ATLAS 的彗核', ['3I/ATLAS']],
    [
      'WASP-39 b, HAT-P-11 b, TOI-700 d and Kepler-186 f',
      ['WASP-39 b', 'HAT-P-11 b', 'TOI-700 d', 'Kepler-186 f'],
    ],
    ['3C 273 and UGC 2885', ['3C 273', 'UGC 2885']],
    ['银河系中心的黑洞与昴星团', ['银河系中心', '昴星团']],
    ['How far is the Andromeda Galaxy (M31)?', ['Andromeda Galaxy']],
    ['GW170817 with GRB 170817A, then GW150914', ['GW170817', 'GW150914']],
    ['Betelgeuse dimming', ['Betelgeuse']],
  ])('are found in %j', (text, names) => {
    expect(found(text)).toEqual(names);
  });

  it.each([
    'Mira variables as distance indicators',
    '米拉变星',
    'JWST and HST data from 2022',
    'M dwarfs',
    'arXiv:2602.22407',
    '10.1051/0004-6361/201833910',
    'IC443xy',
    '',
  ])('are not found in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('says where they stand, in order and apart', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...objects.map(({ id }) => id), ' and ', '，', 'x'), fc.string()), {
          maxLength: 6,
        }),
        (pieces) => {
          const text = pieces.join('');
          let end = 0;
          for (const one of namesIn(text)) {
            expect(text.slice(one.start, one.end)).toBe(one.name);
            expect(one.start).toBeGreaterThanOrEqual(end);
            end = one.end;
          }
        },
      ),
    );
  });

  it('finds the main name of every object that ships with the product', () => {
    for (const { id } of objects) {
      const name = found(`about ${id}, please`)[0];
      expect([id, name === undefined ? 'none' : resolve(name).kind]).toEqual([id, 'found']);
    }
  });
});
