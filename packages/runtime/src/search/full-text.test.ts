import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFullTextIndex } from './full-text.ts';

function indexOfThree() {
  const index = createFullTextIndex();
  index.add('a', {
    title: 'Neutrinos from NGC 1068',
    names: '2602.02390',
    body: 'Ten years of IceCube tracks.',
  });
  index.add('b', {
    title: 'Cepheid distances',
    names: '2602.22407',
    body: 'HST finds Cepheids in NGC 1068. 造父变星距离。',
  });
  index.add('c', { title: 'A planet', names: '2509.19247', body: 'K2-18 b and its neighbours. 中微子' });
  return index;
}

const ids = (hits: readonly { readonly id: string }[]) => hits.map(({ id }) => id);

describe('full-text index', () => {
  it('puts documents that hold every unit before those that hold some', () => {
    const hits = indexOfThree().search('neutrinos NGC1068', 5);
    expect(ids(hits)).toEqual(['a', 'b']);
    expect(hits.map(({ complete }) => complete)).toEqual([true, false]);
  });

  it('finds an identifier whole', () => {
    expect(ids(indexOfThree().search('arXiv 2602.22407v1', 1))).toEqual(['b']);
    expect(indexOfThree().search('22407', 5)).toEqual([]);
  });

  it('finds Chinese text by its bigrams', () => {
    expect(ids(indexOfThree().search('造父变星', 5))).toEqual(['b']);
    expect(ids(indexOfThree().search('中微子', 5))).toEqual(['c']);
  });

  it('counts a match in the title more than one in the body', () => {
    const index = createFullTextIndex();
    index.add('body', { title: 'Quasars', body: 'dust' });
    index.add('title', { title: 'Dust', body: 'quasars' });
    expect(ids(index.search('dust', 5))).toEqual(['title', 'body']);
  });

  it('replaces the document of the same id', () => {
    const index = indexOfThree();
    index.add('a', { title: 'Something else' });
    expect(ids(index.search('IceCube', 5))).toEqual([]);
    expect(ids(index.search('else', 5))).toEqual(['a']);
  });

  it('treats the query language of SQLite as words', () => {
    const index = indexOfThree();
    for (const query of [
      'NEAR(a b)',
      '"',
      'title:',
      'a" OR "b',
      '*',
      '^x',
      '-ngc',
      'AND OR NOT',
      '{title} : x',
    ]) {
      expect(() => index.search(query, 5)).not.toThrow();
    }
    expect(ids(index.search('planet AND nothing', 5))).toEqual(['c']);
  });

  it('takes any text as a document and as a query, and keeps to the limit', () => {
    const index = indexOfThree();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 3 }), (text, limit) => {
        index.add('any', { title: text, body: text });
        expect(index.search(text, limit).length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('finds a document by any of its own words', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 1, maxLength: 6 }), (words) => {
        const index = createFullTextIndex();
        index.add('only', { body: words.join(' ') });
        for (const word of words) expect(ids(index.search(word, 1))).toEqual(['only']);
        index.close();
      }),
      { numRuns: 30 },
    );
  });
});
