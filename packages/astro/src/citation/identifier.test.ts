import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arxivIdOfBibcode, identifierText, parseIdentifier } from './identifier.ts';

const arxiv = (id: string, version: number | null = null) => ({ kind: 'arxiv', id, version });

describe('identifier', () => {
  it.each([
    ['2602.02390', arxiv('2602.02390')],
    [' arXiv:2602.02390v2 ', arxiv('2602.02390', 2)],
    ['ARXIV: 1204.4485', arxiv('1204.4485')],
    ['https://arxiv.org/abs/2602.02390v3', arxiv('2602.02390', 3)],
    ['http://www.arxiv.org/pdf/2602.02390.pdf', arxiv('2602.02390')],
    ['arxiv.org/html/2602.02390?x=1#S2', arxiv('2602.02390')],
    ['astro-ph/9805201', arxiv('astro-ph/9805201')],
    ['arXiv:astro-ph/9805201v1', arxiv('astro-ph/9805201', 1)],
    ['math.GT/0309136', arxiv('math/0309136')],
    ['10.48550/arXiv.2602.02390', arxiv('2602.02390')],
    ['https://doi.org/10.48550/ARXIV.2602.02390v1', arxiv('2602.02390', 1)],
    ['doi:10.3847/2041-8213/AC5C5B', { kind: 'doi', doi: '10.3847/2041-8213/ac5c5b' }],
    ['https://dx.doi.org/10.1086/300499.', { kind: 'doi', doi: '10.1086/300499' }],
    ['2022ApJ...934L...7R', { kind: 'bibcode', bibcode: '2022ApJ...934L...7R' }],
    [
      'https://ui.adsabs.harvard.edu/abs/2020A%26A...641A...6P/abstract',
      { kind: 'bibcode', bibcode: '2020A&A...641A...6P' },
    ],
    ['2026arXiv260202390J', { kind: 'bibcode', bibcode: '2026arXiv260202390J' }],
  ])('reads %s', (text, expected) => {
    expect(parseIdentifier(text)).toEqual(expected);
  });

  it.each([
    '',
    'NGC 1068 neutrinos',
    'Riess 2022',
    '2613.00001',
    '2602.2390',
    '1204.04485',
    '0601.1234',
    '10.1/x',
    '2022ApJ',
  ])('does not make an identifier of %j', (text) => {
    expect(parseIdentifier(text)).toBeNull();
  });

  it('reads the arXiv id out of an e-print bibcode, with and without the dot', () => {
    expect(arxivIdOfBibcode('2026arXiv260202390J')).toBe('2602.02390');
    expect(arxivIdOfBibcode('2012arXiv1204.4485R')).toBe('1204.4485');
    expect(arxivIdOfBibcode('2022ApJ...934L...7R')).toBeNull();
  });

  it('reads back every id that it wrote', () => {
    const id = fc
      .record({
        year: fc.integer({ min: 15, max: 40 }),
        month: fc.integer({ min: 1, max: 12 }),
        number: fc.integer({ min: 1, max: 99_999 }),
        version: fc.option(fc.integer({ min: 1, max: 30 })),
      })
      .map(({ year, month, number, version }) => ({
        text: `${year}${String(month).padStart(2, '0')}.${String(number).padStart(5, '0')}`,
        version,
      }));
    fc.assert(
      fc.property(id, ({ text, version }) => {
        const parsed = parseIdentifier(`arXiv:${text}${version === null ? '' : `v${version}`}`);
        expect(parsed).toEqual(arxiv(text, version));
        expect(parsed === null ? null : identifierText(parsed)).toBe(text);
      }),
    );
  });

  it('survives any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(() => parseIdentifier(`https://arxiv.org/abs/${text}%`)).not.toThrow();
      }),
    );
  });

  it('does not look at what is too long to be one', () => {
    expect(parseIdentifier(`10.1234/${'.'.repeat(400)}x`)).toBeNull();
  });
});
