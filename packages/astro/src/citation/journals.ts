/** Journal abbreviations of the shelf and how BibTeX writes them: AASTeX macros where there is one. */

const MACROS: Readonly<Record<string, string>> = {
  'A&A': '\\aap',
  AJ: '\\aj',
  ApJ: '\\apj',
  ApJL: '\\apjl',
  ApJS: '\\apjs',
  'ARA&A': '\\araa',
  JCAP: '\\jcap',
  MNRAS: '\\mnras',
  Natur: '\\nat',
  PASP: '\\pasp',
  PhRvD: '\\prd',
  PhRvL: '\\prl',
  PhRvX: 'Physical Review X',
  PSJ: '\\psj',
  SSRv: '\\ssr',
  ASSB: "Annales de la Soci{\\'e}t{\\'e} Scientifique de Bruxelles",
  CQGra: 'Classical and Quantum Gravity',
  HarCi: 'Harvard College Observatory Circular',
  JATIS: 'Journal of Astronomical Telescopes, Instruments, and Systems',
  NatAs: 'Nature Astronomy',
  PNAS: 'Proceedings of the National Academy of Science',
  RAA: 'Research in Astronomy and Astrophysics',
  Sci: 'Science',
};

/** ADS counts the letters of the Astrophysical Journal as a journal of its own. Null: an abbreviation nobody entered here. */
export function journalMacro(abbreviation: string, page: string | undefined): string | null {
  const letters = abbreviation === 'ApJ' && page?.startsWith('L') === true;
  return MACROS[letters ? 'ApJL' : abbreviation] ?? null;
}
