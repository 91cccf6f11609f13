import { describe, expect, it } from 'vitest';
import { arxivIdOfBibcode, parseIdentifier } from '../citation/identifier.ts';
import { createShelf } from './shelf.ts';
import { shippedWorks } from './shipped-works.ts';

const works = shippedWorks();
const shelf = createShelf(works);

describe('shipped works', () => {
  it('are at least 150', () => {
    expect(works.length).toBeGreaterThanOrEqual(150);
  });

  it('have ids, bibcodes, DOIs and titles that no other work has', () => {
    for (const field of ['id', 'bibcode', 'doi', 'title'] as const) {
      const values = works.flatMap((work) => work[field]?.toLowerCase() ?? []);
      expect([field, new Set(values).size]).toEqual([field, values.length]);
    }
  });

  it('have well-formed identifiers: bibcodes of 19 characters, arXiv ids without version, DOIs', () => {
    for (const { id, arxiv_id, bibcode, doi } of works) {
      if (arxiv_id !== undefined)
        expect(parseIdentifier(arxiv_id)).toEqual({ kind: 'arxiv', id: arxiv_id, version: null });
      if (bibcode !== undefined) {
        expect(parseIdentifier(bibcode)).toEqual({ kind: 'bibcode', bibcode });
        expect(bibcode).toHaveLength(19);
      }
      if (doi !== undefined)
        expect([id, parseIdentifier(doi)?.kind]).toEqual([id, doi.startsWith('10.48550/') ? 'arxiv' : 'doi']);
      expect(id).toBe(arxiv_id ?? bibcode);
    }
  });

  it('have bibcodes that agree with year, first author and arXiv id', () => {
    for (const { bibcode, year, authors, arxiv_id } of works) {
      if (bibcode === undefined) continue;
      expect(bibcode.slice(0, 4)).toBe(String(year));
      const eprint = arxivIdOfBibcode(bibcode);
      if (eprint !== null) expect(eprint).toBe(arxiv_id);
      const initial = (authors[0] ?? '').normalize('NFD').charAt(0).toUpperCase();
      expect([bibcode, bibcode.at(-1)]).toEqual([bibcode, initial]);
    }
  });

  it('say in two or three sentences of each language what they are about', () => {
    for (const { id, note_en, note_zh } of works) {
      expect([id, [2, 3].includes(note_en.match(/[.!?](?=\s|$)/g)?.length ?? 0)]).toEqual([id, true]);
      expect([id, [2, 3].includes(note_zh.match(/[。！？]/g)?.length ?? 0)]).toEqual([id, true]);
    }
  });

  it('state an error one way: symmetric or two-sided, none for a limit', () => {
    for (const { id, quantities } of works) {
      for (const { err, err_plus, err_minus, limit } of quantities) {
        expect([id, (err_plus === undefined) === (err_minus === undefined)]).toEqual([id, true]);
        expect([id, err !== undefined && err_plus !== undefined]).toEqual([id, false]);
        if (limit !== undefined) expect([id, err, err_plus]).toEqual([id, undefined, undefined]);
      }
    }
  });

  it('hold the works that the demonstration names', () => {
    const demonstrated =
      '2602.02390 2509.15421 2508.08233 2602.15644 2602.20145 2602.22407 2505.05259 2602.16252 2508.05961 2509.19247 2602.09553';
    for (const id of demonstrated.split(' ')) expect(shelf.byId(id)?.id).toBe(id);
  });

  it('hold both sides of the Hubble tension and the Cepheid distance to NGC 1068', () => {
    const first = (id: string) => shelf.byId(id)?.quantities[0];
    expect(first('2112.04510')).toMatchObject({ value: 73.04, err: 1.04 });
    expect(first('1807.06209')).toMatchObject({ value: 67.4, err: 0.5 });
    expect(first('2602.22407')).toMatchObject({ value: 10.72, err: 0.52, unit: 'Mpc' });
  });
});
