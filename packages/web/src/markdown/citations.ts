/** Finds papers named in running text: arXiv ids, DOIs and ADS bibcodes, each with the address of its record. */

export type Citation = {
  readonly kind: 'arxiv' | 'doi' | 'bibcode';
  readonly id: string;
  readonly href: string;
};
export type TextPiece = { readonly text: string; readonly citation: Citation | null };

const ARXIV = String.raw`(?<arxiv>arXiv:\s?(?:\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?))`;
const DOI = String.raw`(?<doi>(?:doi:\s?)?10\.\d{4,9}/[^\s"<>，。；、）】]+)`;
/** Year, journal padded with dots, volume, qualifier, page, first author: 19 characters in all. */
const BIBCODE = String.raw`(?<bibcode>(?:1[89]|20)\d{2}[A-Za-z](?=[A-Za-z0-9&.]*\.)[A-Za-z0-9&.]{13}[A-Z.])(?![A-Za-z0-9])`;
const CITATION = new RegExp(String.raw`(?<![\w./-])(?:${ARXIV}|${DOI}|${BIBCODE})`, 'gi');

/** The text, cut into pieces, which joined are the text again. */
export function findCitations(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(CITATION)) {
    const groups = match.groups ?? {};
    const written = groups.doi === undefined ? match[0] : withoutTail(match[0]);
    const citation = citationOf(groups, written);
    if (citation === null) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), citation: null });
    pieces.push({ text: written, citation });
    from = match.index + written.length;
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from), citation: null });
  return pieces;
}

function citationOf(groups: Readonly<Record<string, string | undefined>>, written: string): Citation | null {
  if (groups.arxiv !== undefined) {
    const id = written.replace(/^arXiv:\s?/i, '');
    return { kind: 'arxiv', id, href: `https://arxiv.org/abs/${id}` };
  }
  if (groups.doi !== undefined) {
    const id = written.replace(/^doi:\s?/i, '');
    return { kind: 'doi', id, href: `https://doi.org/${encodeURI(id)}` };
  }
  // Author initial and qualifier are capitals: case tells a bibcode from any other 19 characters.
  if (groups.bibcode === undefined || !/[A-Z.]$/.test(written)) return null;
  const path = encodeURIComponent(written);
  return { kind: 'bibcode', id: written, href: `https://ui.adsabs.harvard.edu/abs/${path}/abstract` };
}

/** Punctuation at the end belongs to the sentence; a closing bracket to the DOI only if it opened there. */
function withoutTail(doi: string): string {
  let end = doi.replace(/[.,;:!?'*_]+$/, '');
  while (/[)\]]$/.test(end)) {
    const close = end.endsWith(')') ? ')' : ']';
    const open = close === ')' ? '(' : '[';
    if (end.split(open).length >= end.split(close).length) break;
    end = end.slice(0, -1).replace(/[.,;:!?'*_]+$/, '');
  }
  return end;
}

/** Which record a link leads to; null for any other address. */
export function citationKindOf(href: string): Citation['kind'] | null {
  if (/^https?:\/\/arxiv\.org\/(abs|pdf)\//.test(href)) return 'arxiv';
  if (/^https?:\/\/(dx\.)?doi\.org\/10\./.test(href)) return 'doi';
  return /^https?:\/\/ui\.adsabs\.harvard\.edu\/abs\//.test(href) ? 'bibcode' : null;
}
