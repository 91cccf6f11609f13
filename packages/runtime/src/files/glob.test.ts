import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob.ts';

const matches = (pattern: string, path: string) => compileGlob(pattern)?.(path);

describe('compileGlob', () => {
  it.each([
    ['*.fits', 'a.fits', true],
    ['*.fits', 'deep/er/a.fits', true],
    ['*.fits', 'a.fits.gz', false],
    ['data/*.csv', 'data/a.csv', true],
    ['data/*.csv', 'data/b/a.csv', false],
    ['data/**/*.csv', 'data/a.csv', true],
    ['data/**/*.csv', 'data/b/c/a.csv', true],
    ['**/b/*', 'a/b/c', true],
    ['data/**', 'data', true],
    ['data/**', 'data/x/y', true],
    ['/data/*', 'data/x', true],
    ['./data/*', 'data/x', true],
    ['m?1', 'm31', true],
    ['m?1', 'm1', false],
    ['?', '🪐', true],
    ['*.{fits,fit}', 'a.fit', true],
    ['{a,b}/{c,d}', 'b/c', true],
    ['{solo}', '{solo}', true],
    ['[a-c]1', 'b1', true],
    ['[!a-c]1', 'b1', false],
    ['[a', '[a', true],
    ['a.b', 'axb', false],
    ['a+(b)', 'a+(b)', true],
    ['*a*b*', 'xxaxxbxx', true],
    ['*a*b*', 'xxbxxaxx', false],
    ['', '', true],
  ])('%s on %s is %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it('refuses a pattern that stands for more than 64 patterns', () => {
    expect(compileGlob('{a,b}'.repeat(6))).not.toBeNull();
    expect(compileGlob('{a,b}'.repeat(7))).toBeNull();
    expect(compileGlob('{a,b}'.repeat(10_000))).toBeNull();
  });

  it('matches every path by itself, by ** and by its own shape', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-'), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const path = parts.join('/');
        const literal = `./${path.replace(/^[./]+/, '')}`;
        expect(matches('**', path)).toBe(true);
        expect(matches(parts.map(() => '*').join('/'), path)).toBe(true);
        expect(matches(`**/${parts.at(-1)}`, path)).toBe(true);
        expect(matches(literal, literal.slice(2))).toBe(true);
      }),
    );
  });

  it('answers at once where backtracking would take for ever', () => {
    expect(matches(`${'*a'.repeat(60)}b`, 'a'.repeat(250))).toBe(false);
    expect(matches(`${'**/'.repeat(60)}b`, 'a/'.repeat(250))).toBe(false);
  });
});
