import { describe, expect, it } from 'vitest';
import { shippedWorks } from '../shelf/shipped-works.ts';
import { quantityName } from './quantity-name.ts';

describe('quantity name', () => {
  it('is known in Chinese for every quantity on the shelf', () => {
    const names = shippedWorks().flatMap(({ quantities }) => quantities.map(({ name }) => name));
    for (const name of names) expect(quantityName(name, 'zh')).toMatch(/\p{Script=Han}/u);
  });

  it('keeps the object', () => {
    expect(quantityName('distance to NGC 1068', 'zh')).toBe('NGC 1068 的距离');
    expect(quantityName('distance modulus of the LMC', 'zh')).toBe('LMC 的距离模数');
  });

  it('stays English where that is asked or nothing is known', () => {
    expect(quantityName('Hubble constant', 'en')).toBe('Hubble constant');
    expect(quantityName('colour of joy', 'zh')).toBe('colour of joy');
  });
});
