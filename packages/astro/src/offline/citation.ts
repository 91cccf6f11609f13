/** How an answer names a work: authors and year, and a link by the identifier that a tool gave. */
import type { Language } from '@astroresearch/core';
import { adsUrl } from '../citation/bibtex.ts';
import type { PaperIdentity } from './tool-results.ts';

/** `Riess et al. 2022`; a collaboration stands for its members. */
export function authorsAndYear({ authors, n_authors, year }: PaperIdentity, language: Language): string {
  const [first = '', second] = authors.map(familyName);
  const collaboration = /Collaboration|Team$/.test(first);
  if (collaboration || n_authors === 1) return `${first} ${year}`;
  if (n_authors === 2 && second !== undefined) {
    return language === 'zh' ? `${first} 与 ${second} ${year}` : `${first} & ${second} ${year}`;
  }
  return language === 'zh' ? `${first} 等 ${year}` : `${first} et al. ${year}`;
}

/** A Markdown link by arXiv id, else bibcode, else DOI; the bare id where the work has none of them. */
export function citationLink({ id, arxiv_id, bibcode, doi }: PaperIdentity): string {
  if (arxiv_id !== undefined) return `[arXiv:${arxiv_id}](https://arxiv.org/abs/${arxiv_id})`;
  if (bibcode !== undefined) return `[${bibcode}](${adsUrl(bibcode)})`;
  if (doi !== undefined) return `[doi:${doi}](https://doi.org/${urlPath(doi)})`;
  return id;
}

/** `Riess et al. 2022, [arXiv:2112.04510](…)`. */
export function citation(paper: PaperIdentity, language: Language): string {
  const comma = language === 'zh' ? '，' : ', ';
  return `${authorsAndYear(paper, language)}${comma}${citationLink(paper)}`;
}

const familyName = (author: string) => author.split(',')[0]?.trim() ?? author;
const urlPath = (doi: string) => encodeURI(doi).replace(/\(/g, '%28').replace(/\)/g, '%29');
