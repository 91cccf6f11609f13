/** The ledger as a reader sees it. */
import { describe, expect, it } from 'vitest';
import type { Fact } from './digest.ts';
import { ledgerText } from './ledger-text.ts';
import { literalsIn } from './literals.ts';

const fact = (literal: string, ref: Fact['ref'], uses = 1): Fact => ({ literal, ref, uses });
const words = (text: string) => Math.ceil(text.length / 4);

describe('ledgerText', () => {
  it('lists by message, in their order, what is not seen elsewhere', () => {
    const ranked = [
      fact('data/b.fits', 'm9'),
      fact('NGC1068', 'm3'),
      fact('seen.txt', 'm3'),
      fact('10.72', 'm3'),
    ];
    expect(ledgerText(ranked, (literal) => literal === 'seen.txt', 100, words)).toBe(
      'm3: NGC1068 · 10.72\nm9: data/b.fits',
    );
  });

  it('spends its budget on the best first and never more', () => {
    const ranked = ['a', 'b', 'c', 'd'].map((name) => fact(`data/${name}.fits`, 'm4'));
    const text = ledgerText(ranked, () => false, 12, words);
    expect(text).toBe('m4: data/a.fits · data/b.fits');
  });

  it('lists an identifier with what says what it is, and not once more without', () => {
    const ranked = literalsIn('see arXiv:2301.04567, and doi:10.1093/mnras/stab1.').map((literal) =>
      fact(literal, 'm4'),
    );
    expect(ledgerText(ranked, () => false, 100, words)).toBe(
      'm4: arXiv:2301.04567 · doi:10.1093/mnras/stab1',
    );
  });
});
