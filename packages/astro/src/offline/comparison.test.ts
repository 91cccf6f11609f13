import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareQuantities } from './comparison.ts';
import type { PaperRecord } from './tool-results.ts';

function paper(
  id: string,
  value: string,
  rest: Partial<PaperRecord> = {},
  name = 'Hubble constant',
): PaperRecord {
  return {
    id,
    title: id,
    authors: ['A, B'],
    year: 2020,
    refereed: true,
    objects: [],
    summary: '',
    quantities: [{ name, value }],
    ...rest,
  };
}

describe('comparison of quantities', () => {
  it('gives the difference in sigma from the errors, on the sides that face each other', () => {
    const [comparison] = compareQuantities([paper('a', '73.04 ± 1.04 km/s'), paper('b', '67.4 ± 0.5 km/s')]);
    expect(comparison?.widest?.sigma).toBeCloseTo((73.04 - 67.4) / Math.hypot(1.04, 0.5), 10);
    const [uneven] = compareQuantities([paper('a', '10 +3 −4'), paper('b', '20 +9 −3')]);
    expect(uneven?.widest?.sigma).toBeCloseTo(10 / Math.hypot(3, 3), 10);
    const [systematic] = compareQuantities([paper('a', '10 ± 3 (stat) ± 4 (sys)'), paper('b', '22 ± 12')]);
    expect(systematic?.widest?.sigma).toBeCloseTo(12 / Math.hypot(5, 12), 10);
  });

  it('is the same whatever the order of the works', () => {
    const values = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 9 }), (numbers, error) => {
        const papers = numbers.map((number) => paper(`p${number}`, `${number} ± ${error}`));
        const sigmas = (some: readonly PaperRecord[]) =>
          compareQuantities(some)[0]?.differences.map(({ sigma }) => sigma.toFixed(9));
        expect(sigmas([...papers].reverse())).toEqual(sigmas(papers));
        expect(sigmas(papers)).toHaveLength((numbers.length * (numbers.length - 1)) / 2);
      }),
    );
  });

  it('names first a difference between refereed works', () => {
    const [comparison] = compareQuantities([
      paper('a', '80 ± 1', { refereed: 'unknown' }),
      paper('b', '73 ± 1'),
      paper('c', '67 ± 1'),
    ]);
    expect([comparison?.widest?.high.paper.id, comparison?.widest?.low.paper.id]).toEqual(['b', 'c']);
  });

  it('compares lengths in different units', () => {
    const name = 'distance to the Galactic centre';
    const objects = ['Sgr A*'];
    const [comparison] = compareQuantities([
      paper('a', '8178 ± 13 pc', { objects }, name),
      paper('b', '8.0 ± 0.6 kpc', { objects }, name),
    ]);
    expect(comparison?.widest?.sigma).toBeCloseTo(178 / 600.14, 3);
  });

  it('keeps apart the values of different objects, and limits', () => {
    const mass = (id: string, object: string) =>
      paper(id, '4 ± 1 M_sun', { objects: [object] }, 'black hole mass');
    expect(compareQuantities([mass('a', 'M87'), mass('b', 'Sgr A*')])).toEqual([]);
    expect(compareQuantities([mass('a', 'M87'), mass('b', 'M 87')])).toHaveLength(1);
    expect(compareQuantities([paper('a', '< 5 eV'), paper('b', '4 ± 1 eV')])).toEqual([]);
  });

  it('says nothing about values without errors', () => {
    const [comparison] = compareQuantities([paper('a', '500'), paper('b', '67 ± 1')]);
    expect(comparison).toMatchObject({ differences: [], widest: null });
  });
});
