import { createFullTextIndex } from '@astroresearch/runtime';
import { describe, expect, it } from 'vitest';
import { isInsidePhrase } from '../language/concepts.ts';
import { createNameFinder } from '../objects/catalogue-names.ts';
import { createObjectResolver } from '../objects/resolve-object.ts';
import { shippedObjects } from '../objects/shipped-objects.ts';
import { createShelfSearch, type ShelfQuery } from './search.ts';
import { shippedWorks } from './shipped-works.ts';

const works = shippedWorks();
const objects = shippedObjects();
const { namesOf } = createObjectResolver(objects);
const namesIn = createNameFinder(objects, isInsidePhrase);
const { search } = createShelfSearch(works, createFullTextIndex(), { namesOf, namesIn });
const ask = (query: string, rest: Partial<ShelfQuery> = {}) =>
  search({ query, sort: 'relevance', limit: 10, offset: 0, language: 'en', ...rest });
const ids = (query: string, rest: Partial<ShelfQuery> = {}) =>
  ask(query, rest).hits.map(({ work }) => work.id);

describe('shelf search', () => {
  it('finds the neutrino papers on NGC 1068', () => {
    const expected = ['2602.02390', '2509.15421', '2508.08233', '2602.15644', '2602.20145', '2211.09972'];
    expect(ids('NGC 1068 neutrino', { limit: 12 })).toEqual(expect.arrayContaining(expected));
  });

  it('finds them by other names of the galaxy', () => {
    expect(ids('M77 neutrino').slice(0, 3)).toEqual(expect.arrayContaining(['2211.09972']));
  });

  it('answers a Chinese question with English works', () => {
    expect(ids('哈勃常数为什么有分歧？', { limit: 20 })).toEqual(expect.arrayContaining(['2112.04510']));
    expect(ids('造父变星距离 NGC 1068')[0]).toBe('2602.22407');
    expect(ids('二甲基硫的争议', { limit: 8 })).toEqual(expect.arrayContaining(['2508.05961', '2504.12267']));
  });

  it.each([
    'Hubble tension',
    '哈勃张力',
    'How large is the Hubble tension, and which measurements disagree?',
    '哈勃张力有多大？哪些测量不一致？',
  ])('puts both sides of the Hubble tension and the one between among the first eight: %s', (query) => {
    const first = ids(query, { limit: 8 });
    expect(first).toEqual(expect.arrayContaining(['2112.04510', '1807.06209']));
    const redGiants = ['1907.05922', '2106.15656', '2408.06153'];
    expect(first.filter((id) => redGiants.includes(id))).not.toEqual([]);
  });

  it('answers both parts of a question', () => {
    const first = ids('NGC 1068 是否为中微子源？距离用哪个值？', { limit: 8 });
    expect(first).toEqual(expect.arrayContaining(['2211.09972', '2602.02390', '2602.22407']));
  });

  it.each(['K2-18 b DMS', 'K2-18 b 上有二甲基硫吗？', 'dimethyl sulfide on K2-18b'])(
    'finds both sides of a dispute: %s',
    (query) => {
      expect(ids(query, { limit: 8 })).toEqual(
        expect.arrayContaining(['2504.12267', '2309.05566', '2508.05961', '2501.18477']),
      );
    },
  );

  it('knows abbreviations and both spellings', () => {
    expect(ids('TRGB', { limit: 8 })).toContain('1907.05922');
    expect(ids('CMB temperature')[0]).toBe('0911.1955');
    expect(ids('dimethyl sulfide')).toEqual(expect.arrayContaining(['2508.05961']));
  });

  it('puts what holds everything first', () => {
    for (const query of ['NGC 1068 neutrino', '3I/ATLAS 彗核', 'GW170817 Hubble constant']) {
      const complete = ask(query).hits.map((hit) => hit.complete);
      expect(complete).toEqual([...complete].sort((a, b) => Number(b) - Number(a)));
    }
  });

  it('leaves out what only shares an everyday word', () => {
    expect(ask('What is the capital of France?').hits).toEqual([]);
  });

  it('finds a work by its identifier alone', () => {
    expect(ids('arXiv:2602.22407')[0]).toBe('2602.22407');
    expect(ids('2020A&A...641A...6P')[0]).toBe('1807.06209');
  });

  it('filters by author, first author, object, years, category and referee', () => {
    expect(ids('', { author: 'Riess', limit: 20 })).toEqual(
      expect.arrayContaining(['2112.04510', 'astro-ph/9805201', '1908.05625']),
    );
    expect(ids('', { author: '^Riess, A.', limit: 20 })).not.toContain('1908.05625');
    expect(ids('', { author: 'Gamez Rosas' })).toContain('2505.05259');
    expect(ids('', { object: 'M 106', limit: 20 })).toContain('2509.20519');
    expect(ask('Hubble constant', { yearFrom: 2026 }).hits.every(({ work }) => work.year === 2026)).toBe(
      true,
    );
    expect(ask('Hubble constant', { yearTo: 1930 }).hits.every(({ work }) => work.year <= 1930)).toBe(true);
    expect(
      ask('', { category: 'astro-ph.HE' }).hits.every(({ work }) => work.category === 'astro-ph.HE'),
    ).toBe(true);
    expect(ask('', { refereed: true, limit: 20 }).hits.every(({ work }) => work.refereed === true)).toBe(
      true,
    );
  });

  it('sorts by date, newest first', () => {
    const years = ask('Hubble constant', { sort: 'date', limit: 20 }).hits.map(({ work }) => work.year);
    expect(years).toEqual([...years].sort((a, b) => b - a));
    expect(years[0]).toBe(2026);
  });

  it('pages through everything once', () => {
    const { total } = ask('');
    const pages = Array.from({ length: Math.ceil(total / 10) }, (_, page) =>
      ids('', { offset: page * 10 }),
    ).flat();
    expect([total, pages.length, new Set(pages).size]).toEqual([works.length, works.length, works.length]);
  });

  it('gives a snippet of the note in the language asked for', () => {
    expect(ask('NGC 1068 Cepheid distance').hits[0]?.snippet).toMatch(/NGC 1068/);
    expect(ask('NGC 1068 造父变星', { language: 'zh' }).hits[0]?.snippet).toMatch(/造父变星/);
    for (const { snippet } of ask('', { limit: works.length }).hits)
      expect([...snippet].length).toBeLessThanOrEqual(200);
  });

  it('finds nothing for what no work is about', () => {
    expect(ask('zymurgy')).toEqual({ total: 0, hits: [] });
  });
});
