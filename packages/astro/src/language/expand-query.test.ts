import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASTRONOMY_TERMS, expandQuery } from './expand-query.ts';

describe('expand query', () => {
  it('puts English terms in the place of Chinese ones', () => {
    expect(expandQuery('NGC 1068 是否为中微子源？')).toEqual({
      text: 'NGC 1068 为中微子源',
      english: 'NGC 1068 neutrino source',
      terms: [{ zh: '中微子源', en: 'neutrino source' }],
    });
  });

  it('takes the longest term that fits', () => {
    expect(expandQuery('双中子星并合').english).toBe('binary neutron star merger');
    expect(expandQuery('中子星').english).toBe('neutron star');
  });

  it('drops courtesies in both languages', () => {
    expect(expandQuery('请介绍一下哈勃常数').english).toBe('Hubble constant');
    expect(expandQuery('What is the Hubble tension?').text).toBe('the Hubble tension');
    expect(expandQuery('Tell me about K2-18 b').text).toBe('K2-18 b');
  });

  it('keeps a query that holds nothing but a courtesy', () => {
    expect(expandQuery('请问').text).toBe('请问');
  });

  it('finds terms that contain a stop phrase', () => {
    expect(expandQuery('造父变星和活动星系核').english).toBe('Cepheid active galactic nucleus');
  });

  it('knows at least 300 terms, each with an English form free of Chinese', () => {
    expect(ASTRONOMY_TERMS.size).toBeGreaterThanOrEqual(300);
    for (const english of ASTRONOMY_TERMS.values()) expect(english).not.toMatch(/\p{Script=Han}/u);
  });

  it('translates each of its own terms', () => {
    for (const [zh, en] of ASTRONOMY_TERMS)
      expect(expandQuery(zh)).toEqual({ text: zh.normalize('NFKC'), english: en, terms: [{ zh, en }] });
  });

  it('leaves a query in Latin letters without stop phrases as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[B-Z]{2,6}( [0-9]{1,4}){0,2}$/), (query) => {
        fc.pre(!/\b(?:FIND)\b/.test(query));
        expect(expandQuery(query)).toEqual({ text: query, english: query, terms: [] });
      }),
    );
  });
});
