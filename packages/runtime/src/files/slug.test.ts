import { describe, expect, it } from 'vitest';
import { isSlug } from './slug.ts';

describe('isSlug', () => {
  it.each(['plate-scale', 'a', 'm-g1', 'ngc_1275', '底片比例尺', 'größe-2'])('accepts %s', (name) => {
    expect(isSlug(name)).toBe(true);
  });

  it.each([
    '',
    'Plate',
    'a b',
    '-a',
    'a-',
    'a--b',
    '../x',
    'a/b',
    'a.md',
    '.a',
    'a\n',
    'a\0',
    'e\u0301'.repeat(1),
    'x'.repeat(121),
    '星'.repeat(41),
  ])('refuses %j', (name) => {
    expect(isSlug(name)).toBe(false);
  });
});
