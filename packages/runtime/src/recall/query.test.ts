import { describe, expect, it } from 'vitest';
import { fold, parseQuery } from './query.ts';

const termsOf = (text: string) => parseQuery(text).terms.map(({ folded }) => folded);

describe('parseQuery', () => {
  it.each([
    ['MIDDLE-MARK-88', ['middle-mark-88']],
    ['"Hubble constant"', ['hubble', 'constant']],
    ['[Fe/H], 2019ApJ...876...85R.', ['fe/h', '2019apj...876...85r']],
    ['哈勃', ['哈勃']],
    ['哈勃常数', ['哈勃', '勃常', '常数']],
    ['NGC1068的距离', ['ngc1068', '的距', '距离']],
    ['红移、距离；“光度”', ['红移', '距离', '光度']],
    ['ＮＧＣ　１０６８', ['ngc', '1068']],
    ['the distance of M31', ['distance', 'm31']],
    ['a', ['a']],
    ['的', ['的']],
    ['c c C', ['c']],
    ['→', ['→']],
    ['', []],
  ])('looks in %j for %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('knows phrases: the whole query, and runs longer than their pairs', () => {
    expect(parseQuery('Hubble constant').phrases).toEqual(['hubble constant']);
    expect(parseQuery('"Hubble constant"').phrases).toEqual(['hubble constant']);
    expect(parseQuery('NGC 哈勃常数').phrases).toEqual(['ngc 哈勃常数', '哈勃常数']);
    expect(parseQuery('C++').phrases).toEqual(['c++']);
    expect(parseQuery('cepheid').phrases).toEqual([]);
  });

  it('gives the spellings that a search by A–Z alone would miss', () => {
    const [term] = parseQuery('Élan').terms;
    expect(term?.spellings).toEqual(['élan', 'Élan']);
    expect(parseQuery('M31').terms[0]).toMatchObject({
      spellings: ['m31'],
      rareSpellings: ['ｍ３１', 'Ｍ３１'],
    });
    expect(parseQuery('星系').terms[0]).toMatchObject({ spellings: ['星系'], rareSpellings: [] });
  });

  it('bounds what it takes', () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(' ');
    expect(parseQuery(long).terms).toHaveLength(16);
    expect(parseQuery('🌌'.repeat(400)).terms[0]?.folded.isWellFormed()).toBe(true);
  });
});

describe('fold', () => {
  it('makes equal what reads the same', () => {
    expect(fold('ＮＧＣ１０６８ ﬁt')).toBe(fold('ngc1068 FIT'));
  });
});
