import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, indexTerms, queryUnits } from './terms.ts';

describe('terms', () => {
  it('keeps identifiers whole and drops the version of an arXiv id', () => {
    expect(indexTerms('see arXiv:2602.02390v2, 2022ApJ...934L...7R and 10.3847/2041-8213/ac5c5b.')).toEqual([
      'see',
      'arxiv',
      '2602.02390',
      '2022apj...934l...7r',
      'and',
      '10.3847/2041-8213/ac5c5b',
    ]);
  });

  it('sees the same pieces in NGC1068 and NGC 1068', () => {
    expect(indexTerms('NGC1068')).toEqual(indexTerms('NGC 1068'));
  });

  it('asks for the pieces of one word side by side', () => {
    expect(queryUnits('M87 jet')).toEqual([['m', '87'], ['jet']]);
  });

  it('folds accents and full-width letters', () => {
    expect(fold('Gámez ＮＧＣ Müller')).toBe('gamez ngc muller');
  });

  it('splits Chinese into characters and bigrams for the index, bigrams for a query', () => {
    expect(indexTerms('中微子')).toEqual(['中', '中微', '微', '微子', '子']);
    expect(queryUnits('中微子')).toEqual([['中微'], ['微子']]);
    expect(queryUnits('星')).toEqual([['星']]);
  });

  it('drops function words unless nothing else is asked', () => {
    expect(queryUnits('the distance of the LMC')).toEqual([['distance'], ['lmc']]);
    expect(queryUnits('the')).toEqual([['the']]);
  });

  it('takes plurals and both spellings of -ization for one word', () => {
    expect(indexTerms('neutrinos galaxies masses reionisation')).toEqual(
      indexTerms('neutrino galaxy mass reionization'),
    );
    expect(indexTerms('gas mass Venus')).toEqual(['gas', 'mass', 'venus']);
  });

  it('never yields a term with a blank in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const term of [...indexTerms(text), ...queryUnits(text).flat()]) expect(term).toMatch(/^\S+$/u);
      }),
    );
  });
});
