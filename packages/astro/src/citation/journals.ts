/** Journals of the shelf: the abbreviation of the bibcode, the AASTeX macro where there is one, the full name. */

type Journal = { readonly macro?: string; readonly name: string };

const JOURNALS: Readonly<Record<string, Journal>> = {
  'A&A': { macro: '\\aap', name: 'Astronomy and Astrophysics' },
  AJ: { macro: '\\aj', name: 'The Astronomical Journal' },
  ApJ: { macro: '\\apj', name: 'The Astrophysical Journal' },
  ApJL: { macro: '\\apjl', name: 'The Astrophysical Journal Letters' },
  ApJS: { macro: '\\apjs', name: 'The Astrophysical Journal Supplement Series' },
  'ARA&A': { macro: '\\araa', name: 'Annual Review of Astronomy and Astrophysics' },
  ASSB: { name: 'Annales de la Société Scientifique de Bruxelles' },
  CQGra: { name: 'Classical and Quantum Gravity' },
  HarCi: { name: 'Harvard College Observatory Circular' },
  JATIS: { name: 'Journal of Astronomical Telescopes, Instruments, and Systems' },
  JCAP: { macro: '\\jcap', name: 'Journal of Cosmology and Astroparticle Physics' },
  MNRAS: { macro: '\\mnras', name: 'Monthly Notices of the Royal Astronomical Society' },
  NatAs: { name: 'Nature Astronomy' },
  Natur: { macro: '\\nat', name: 'Nature' },
  PASP: { macro: '\\pasp', name: 'Publications of the Astronomical Society of the Pacific' },
  PhRvD: { macro: '\\prd', name: 'Physical Review D' },
  PhRvL: { macro: '\\prl', name: 'Physical Review Letters' },
  PhRvX: { name: 'Physical Review X' },
  PNAS: { name: 'Proceedings of the National Academy of Sciences' },
  PSJ: { macro: '\\psj', name: 'The Planetary Science Journal' },
  RAA: { name: 'Research in Astronomy and Astrophysics' },
  Sci: { name: 'Science' },
  SSRv: { macro: '\\ssr', name: 'Space Science Reviews' },
};

/** Null: an abbreviation nobody entered here. The letters of the Astrophysical Journal are told by the page. */
export function journalOf(abbreviation: string, page: string | undefined): Journal | null {
  const letters = abbreviation === 'ApJ' && page?.startsWith('L') === true;
  return JOURNALS[letters ? 'ApJL' : abbreviation] ?? null;
}
