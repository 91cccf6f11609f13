import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shippedWorks } from '../shelf/shipped-works.ts';
import type { Work } from '../shelf/work.ts';
import { adsUrl, bibtex, bibtexKeys } from './bibtex.ts';
import { latexAuthor, latexText } from './bibtex-text.ts';
import { journalOf } from './journals.ts';

const works = shippedWorks();
const work = (id: string): Work => {
  const found = works.find((one) => one.id === id);
  if (found === undefined) throw new Error(`${id} is not on the shelf`);
  return found;
};

describe('bibtex', () => {
  it('writes a published work as ADS does', () => {
    expect(bibtex([work('1807.06209')])).toBe(`@ARTICLE{2020A&A...641A...6P,
       author = {{Planck Collaboration} and {Aghanim}, N. and {Akrami}, Y. and others},
        title = "{Planck 2018 results. VI. Cosmological parameters}",
      journal = {\\aap},
         year = 2020,
       volume = {641},
        pages = {A6},
          doi = {10.1051/0004-6361/201833910},
archivePrefix = {arXiv},
       eprint = {1807.06209},
 primaryClass = {astro-ph.CO},
       adsurl = {https://ui.adsabs.harvard.edu/abs/2020A%26A...641A...6P},
      adsnote = {From the offline reference shelf}
}`);
  });

  it('writes an e-print where nothing published is known', () => {
    const text = bibtex([work('2602.02390')]);
    expect(text).toContain('@ARTICLE{2026arXiv260202390J,');
    expect(text).toContain('author = {{Jain}, S. and {Hooper}, D. and {Halzen}, F.}');
    expect(text).toContain('journal = {arXiv e-prints}');
    expect(text).toContain('doi = {10.48550/arXiv.2602.02390}');
  });

  it('cites the e-print of a published work when asked to, under the same key', () => {
    const text = bibtex([work('1807.06209')], { prefer: 'eprint', style: 'ads' });
    expect(text).toContain('@ARTICLE{2020A&A...641A...6P,');
    expect(text).toContain('pages = {arXiv:1807.06209}');
    expect(text).toContain('doi = {10.48550/arXiv.1807.06209}');
  });

  it('writes journals in full and nothing of ADS in the plain style', () => {
    const text = bibtex([work('1807.06209')], { prefer: 'published', style: 'plain' });
    expect(text).toContain('journal = {Astronomy and Astrophysics}');
    expect(text).not.toMatch(/adsurl|adsnote/);
  });

  it('names the letters of the Astrophysical Journal as ADS does', () => {
    expect(bibtex([work('2112.04510')])).toContain('journal = {\\apjl}');
    expect(bibtex([work('2112.04510')])).toContain('km s$^{-1}$ Mpc$^{-1}$ Uncertainty');
  });

  it('writes a work given twice once', () => {
    expect(bibtex([work('2602.02390'), work('2602.02390')]).match(/@ARTICLE/g)).toHaveLength(1);
  });

  it('keeps math and escapes what LaTeX would read as commands', () => {
    expect(latexText('1.8 per cent measurement of $H_0$ & 50% of A_B')).toBe(
      '1.8 per cent measurement of $H_0$ \\& 50\\% of A\\_B',
    );
    expect(latexText('costs $5')).toBe('costs \\$5');
    expect(latexText('Gámez ∼ 5 M⊙')).toBe("G{\\'{a}}mez $\\sim$ 5 M$_{\\odot}$");
  });

  it('writes authors by family name and initials, collaborations whole', () => {
    expect(latexAuthor('Riess, Adam G.')).toBe('{Riess}, A.~G.');
    expect(latexAuthor('Demory, Brice-Olivier')).toBe('{Demory}, B. -O.');
    expect(latexAuthor('Pietrzyński, G.')).toBe("{Pietrzy{\\'{n}}ski}, G.");
    expect(latexAuthor('Kennicutt, Robert C., Jr.')).toBe('{Kennicutt}, R.~C., Jr.');
    expect(latexAuthor('IceCube Collaboration')).toBe('{IceCube Collaboration}');
  });

  it('knows every journal of the shelf', () => {
    for (const { journal, page } of works) {
      if (journal !== undefined) expect([journal, journalOf(journal, page)]).not.toContain(null);
    }
  });

  it('gives every work one key that no other work has, whatever is exported with it', () => {
    const alone = new Map(works.map((one) => [one.id, bibtexKeys([one]).get(one.id)]));
    fc.assert(
      fc.property(fc.shuffledSubarray([...works]), (some) => {
        const keys = bibtexKeys(some);
        expect(new Set(keys.values()).size).toBe(some.length);
        for (const { id } of some) expect(keys.get(id)).toBe(alone.get(id));
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the braces of every entry balanced', () => {
    for (const one of works) {
      const text = bibtex([one]).replace(/\\[{}]/g, '');
      expect([one.id, text.split('{').length]).toEqual([one.id, text.split('}').length]);
    }
  });

  it('encodes the ampersand of a bibcode in a URL', () => {
    expect(adsUrl('1993ARA&A..31..473A')).toBe('https://ui.adsabs.harvard.edu/abs/1993ARA%26A..31..473A');
  });
});
