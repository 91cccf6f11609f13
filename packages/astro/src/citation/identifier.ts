/** Reads a paper's identifier out of the forms people type: arXiv ids old and new, DOIs, bibcodes, URLs (astro.md, Conventions). */

export type PaperIdentifier =
  /** `id` without version; `version` null where none was given. */
  | { readonly kind: 'arxiv'; readonly id: string; readonly version: number | null }
  /** Lower case: DOIs are equal whatever their case. */
  | { readonly kind: 'doi'; readonly doi: string }
  /** 19 characters. */
  | { readonly kind: 'bibcode'; readonly bibcode: string };

/** `yymm.number`: four digits up to 2014, five since. */
const NEW_ARXIV = /^(\d{2})(0[1-9]|1[0-2])\.(\d{4,5})(?:v([1-9]\d*))?$/;
const OLD_ARXIV = /^([a-z][a-z-]*)(?:\.[A-Z]{2})?\/(\d{2}(?:0[1-9]|1[0-2])\d{3})(?:v([1-9]\d*))?$/i;
const DOI = /^10\.\d{4,9}\/\S+$/;
const ARXIV_DOI = /^10\.48550\/arxiv\.(.+)$/i;
const BIBCODE = /^\d{4}[A-Za-z0-9&.]{14}[A-Za-z.:]$/;
const EPRINT_BIBCODE = /^\d{4}arXiv(\d{4})\.?(\d{4,5})[A-Za-z.:]$/;

/** No identifier is longer, not even in its URL; longer texts are not looked at. */
const MAX_IDENTIFIER_CHARS = 300;

/** Null: not an identifier. A title or an author's name is never guessed into one. */
export function parseIdentifier(text: string): PaperIdentifier | null {
  if (text.length > MAX_IDENTIFIER_CHARS) return null;
  const bare = withoutAddress(text.normalize('NFKC').trim());
  return (
    parseArxiv(bare.replace(/^arxiv:\s*/i, '')) ??
    parseDoi(bare.replace(/^doi:\s*/i, '')) ??
    parseBibcode(bare)
  );
}

/** The arXiv id that an e-print bibcode stands for; null for every other bibcode. */
export function arxivIdOfBibcode(bibcode: string): string | null {
  const match = EPRINT_BIBCODE.exec(bibcode);
  if (match === null) return null;
  const parsed = parseArxiv(`${match[1]}.${match[2]}`);
  return parsed?.kind === 'arxiv' ? parsed.id : null;
}

/** One spelling for each identifier, the version left out. */
export function identifierText(identifier: PaperIdentifier): string {
  switch (identifier.kind) {
    case 'arxiv':
      return identifier.id;
    case 'doi':
      return identifier.doi;
    case 'bibcode':
      return identifier.bibcode;
    default:
      return identifier satisfies never;
  }
}

function parseArxiv(text: string): PaperIdentifier | null {
  const recent = NEW_ARXIV.exec(text);
  if (recent !== null) {
    const [, year = '', month = '', number = '', version] = recent;
    const fiveDigits = Number(year) >= 15;
    const began = Number(year + month) >= 704;
    if (!began || number.length !== (fiveDigits ? 5 : 4)) return null;
    return { kind: 'arxiv', id: `${year}${month}.${number}`, version: versionOf(version) };
  }
  const old = OLD_ARXIV.exec(text);
  if (old === null) return null;
  const [, archive = '', number = '', version] = old;
  return { kind: 'arxiv', id: `${archive.toLowerCase()}/${number}`, version: versionOf(version) };
}

function parseDoi(text: string): PaperIdentifier | null {
  const doi = text.replace(/[.,;)\]]+$/, '');
  if (!DOI.test(doi)) return null;
  const eprint = ARXIV_DOI.exec(doi)?.[1];
  return (eprint === undefined ? null : parseArxiv(eprint)) ?? { kind: 'doi', doi: doi.toLowerCase() };
}

function parseBibcode(text: string): PaperIdentifier | null {
  const bibcode = text.replace(/^bibcode:\s*/i, '');
  return BIBCODE.test(bibcode) ? { kind: 'bibcode', bibcode } : null;
}

/** What is left of a URL of arXiv, doi.org or ADS; every other text comes back as it is. */
function withoutAddress(text: string): string {
  const address =
    /^(?:https?:\/\/)?(?:www\.|export\.|dx\.|ui\.)?(arxiv\.org|doi\.org|adsabs\.harvard\.edu)\/([^?#\s]+)/i.exec(
      text,
    );
  if (address === null) return text;
  const path = decoded(address[2] ?? '').replace(/\/+$/, '');
  switch (address[1]?.toLowerCase()) {
    case 'arxiv.org':
      return path.replace(/^(?:abs|pdf|html|e-print|format)\//, '').replace(/\.pdf$/i, '');
    case 'adsabs.harvard.edu':
      return path
        .replace(/^(?:abs|full)\//, '')
        .replace(/\/(?:abstract|citations|references|exportcitation)$/, '');
    default:
      return path;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const versionOf = (digits: string | undefined) => (digits === undefined ? null : Number(digits));
