import { describe, expect, it } from 'vitest';
import { separationDeg } from './coordinates.ts';
import { nameKey } from './name-key.ts';
import { createObjectResolver } from './resolve-object.ts';
import { shippedObjects } from './shipped-objects.ts';

const objects = shippedObjects();
const { resolve, namesOf } = createObjectResolver(objects);
const found = (name: string) => {
  const resolution = resolve(name);
  return resolution.kind === 'found' ? resolution.object.id : resolution.kind;
};

describe('resolve object', () => {
  it.each([
    'NGC1068',
    'NGC 1068',
    'ngc1068',
    'NGC 01068',
    'M77',
    'M 77',
    'm 077',
    'Messier 77',
    '梅西耶77',
    '鲸鱼座A',
    '鲸鱼座 A',
    'Cetus A',
  ])('knows NGC 1068 as %s', (name) => {
    expect(found(name)).toBe('M 77');
  });

  it.each([
    ['蟹状星云', 'M 1'],
    ['仙女座星系', 'M 31'],
    ['天狼星', 'Sirius'],
    ['比邻星', 'Proxima Centauri'],
    ['k2-18B', 'K2-18 b'],
    ['M87*', 'M 87'],
    ['ngc4258', 'M 106'],
    ['Sagittarius A*', 'Sgr A*'],
    ['3I/Atlas', '3I/ATLAS'],
    ['Trappist-1 e', 'TRAPPIST-1 e'],
    ['51 Pegasi b', '51 Peg b'],
    ['alpha cma', 'Sirius'],
    ['LMC', 'LMC'],
  ])('resolves %s', (name, id) => {
    expect(found(name)).toBe(id);
  });

  it('asks back where a name fits several objects', () => {
    const resolution = resolve('Spindle Galaxy');
    expect(
      resolution.kind === 'ambiguous' ? resolution.candidates.map(({ id }) => id) : resolution.kind,
    ).toEqual(['M 102', 'NGC 3115']);
    const piece = resolve('Pinwheel');
    expect(piece.kind).toBe('ambiguous');
  });

  it('never gives more than five candidates', () => {
    const resolution = resolve('Kepler');
    expect(resolution.kind === 'ambiguous' && resolution.candidates.length).toBe(5);
  });

  it('offers the nearest names instead of guessing', () => {
    expect(resolve('NGC 106')).toMatchObject({ kind: 'not-found' });
    const typo = resolve('Betelguese');
    expect(typo.kind === 'not-found' ? typo.nearest[0] : typo.kind).toBe('Betelgeuse');
    expect(resolve('xyzzy')).toEqual({ kind: 'not-found', nearest: [] });
    expect(resolve('')).toEqual({ kind: 'not-found', nearest: [] });
  });

  it('gives all names of one object', () => {
    expect(namesOf('ngc 1068')).toEqual(expect.arrayContaining(['M 77', 'NGC 1068', 'Cetus A']));
    expect(namesOf('Spindle Galaxy')).toEqual([]);
  });
});

describe('object tables', () => {
  it('hold all 110 Messier objects, 30 stars, 15 hosts and at least 150 objects', () => {
    expect(objects.length).toBeGreaterThanOrEqual(150);
    for (let number = 1; number <= 110; number++) expect(found(`M${number}`)).toBe(`M ${number}`);
    expect(objects.filter(({ color_bv }) => color_bv !== undefined).length).toBeGreaterThanOrEqual(30);
    expect(objects.filter(({ type }) => type === 'exoplanet host star').length).toBeGreaterThanOrEqual(15);
  });

  it('give every object one id, found by it', () => {
    for (const { id } of objects) expect(found(id)).toBe(id);
  });

  it('have both coordinates or none, with their accuracy', () => {
    for (const { id, ra_deg, dec_deg, position_accuracy_arcsec } of objects) {
      const known = [ra_deg, dec_deg, position_accuracy_arcsec].filter((value) => value !== undefined).length;
      expect([id, [0, 3].includes(known)]).toEqual([id, true]);
    }
  });

  it('put a planet where its host is', () => {
    for (const { id, planet, ra_deg, dec_deg } of objects) {
      if (planet === undefined) continue;
      const host = objects.find((one) => one.id === planet.host);
      expect([id, host?.ra_deg, host?.dec_deg]).toEqual([id, ra_deg, dec_deg]);
    }
  });

  it('keep known neighbours together', () => {
    const at = (name: string) => {
      const resolution = resolve(name);
      if (resolution.kind !== 'found') throw new Error(name);
      return {
        raDeg: resolution.object.ra_deg ?? Number.NaN,
        decDeg: resolution.object.dec_deg ?? Number.NaN,
      };
    };
    expect(separationDeg(at('M31'), at('M32'))).toBeLessThan(0.5);
    expect(separationDeg(at('M81'), at('M82'))).toBeLessThan(0.7);
    expect(separationDeg(at('Castor'), at('Pollux'))).toBeCloseTo(4.5, 0);
    expect(separationDeg(at('Crab Pulsar'), at('M1')) * 60).toBeLessThan(3);
  });

  it('spell no two names of one object the same', () => {
    for (const { id, names } of objects) expect([id, new Set(names).size]).toEqual([id, names.length]);
    expect(nameKey('Messier 77')).toBe('m77');
  });
});
