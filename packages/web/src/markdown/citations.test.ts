/** Papers named in running text. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { citationKindOf, findCitations } from './citations.ts';

const found = (text: string) =>
  findCitations(text).flatMap(({ text: written, citation }) =>
    citation === null ? [] : [[citation.kind, written, citation.href]],
  );

it('finds arXiv ids of both styles', () => {
  expect(found('see arXiv:2211.09972v2, and arXiv:astro-ph/9805201.')).toEqual([
    ['arxiv', 'arXiv:2211.09972v2', 'https://arxiv.org/abs/2211.09972v2'],
    ['arxiv', 'arXiv:astro-ph/9805201', 'https://arxiv.org/abs/astro-ph/9805201'],
  ]);
});

it('finds DOIs without the sentence around them', () => {
  expect(
    found('(doi:10.1126/science.abg3395). 10.1016/0370-2693(91)90641-8, 见 10.3847/2041-8213/acf577。'),
  ).toEqual([
    ['doi', 'doi:10.1126/science.abg3395', 'https://doi.org/10.1126/science.abg3395'],
    ['doi', '10.1016/0370-2693(91)90641-8', 'https://doi.org/10.1016/0370-2693(91)90641-8'],
    ['doi', '10.3847/2041-8213/acf577', 'https://doi.org/10.3847/2041-8213/acf577'],
  ]);
});

it('finds bibcodes', () => {
  expect(
    found('[2022Sci...378..538I] 2020A&A...641A...6P, 2022ApJ...934L...7R').map(([, written]) => written),
  ).toEqual(['2022Sci...378..538I', '2020A&A...641A...6P', '2022ApJ...934L...7R']);
});

it('takes numbers, versions, long words and file names for what they are', () => {
  for (const text of [
    'E = 1234.56789 TeV',
    'v2.10.1234/5',
    'in 2019abcdefghijklmnop',
    'data_2020A&A...641A...6Pz',
    'ratio 10.5/3.2',
    '/path/10.1000/x',
  ]) {
    expect(found(text)).toEqual([]);
  }
});

it('loses no character of the text', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('arXiv:2211.09972', '10.1126/a.b)', '2022Sci...378..538I', ' ', '。'),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect(
        findCitations(text)
          .map((one) => one.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

it('knows where a link leads', () => {
  expect(citationKindOf('https://arxiv.org/abs/2211.09972')).toBe('arxiv');
  expect(citationKindOf('https://doi.org/10.1126/x')).toBe('doi');
  expect(citationKindOf('https://ui.adsabs.harvard.edu/abs/2022Sci...378..538I')).toBe('bibcode');
  expect(citationKindOf('https://arxiv.org.evil.example/abs/1')).toBeNull();
});
