/** Text and names made safe for LaTeX: math is kept, special characters are escaped, some signs become commands. */

const SPECIAL: Readonly<Record<string, string>> = {
  '&': '\\&',
  '%': '\\%',
  '#': '\\#',
  _: '\\_',
  $: '\\$',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '\\': '\\textbackslash{}',
  '⊙': '$_{\\odot}$',
  '∼': '$\\sim$',
  Λ: '$\\Lambda$',
  Ω: '$\\Omega$',
  σ: '$\\sigma$',
  '–': '--',
  '—': '---',
  '⁻': '$^{-}$',
};

/** Accents that every TeX reads as a command on one letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '\\`',
  '\u0301': "\\'",
  '\u0302': '\\^',
  '\u0303': '\\~',
  '\u0304': '\\=',
  '\u0308': '\\"',
  '\u030c': '\\v',
  '\u0327': '\\c',
};

const LETTERS: Readonly<Record<string, string>> = {
  ł: '{\\l}',
  Ł: '{\\L}',
  ø: '{\\o}',
  Ø: '{\\O}',
  ß: '{\\ss}',
  å: '{\\aa}',
};

/** `$…$` stays as it is where the dollars pair up; without a partner a dollar is a character. */
export function latexText(text: string): string {
  const parts = text.split(/(\$[^$]+\$)/);
  return parts.map((part) => (/^\$[^$]+\$$/.test(part) ? part : escapeText(part))).join('');
}

/** `Family, Given` → `{Family}, G.~H.`; a name without a comma is a collaboration, in braces as a whole. */
export function latexAuthor(name: string): string {
  const [family = name, given = '', ...suffix] = name.split(/,\s*/);
  const initials = given
    .split(/[\s.]+/)
    .filter((part) => part !== '')
    .map(initialsOf)
    .join('~');
  const tail = suffix.length > 0 ? `, ${escapeText(suffix.join(', '))}` : '';
  return `{${escapeText(family)}}${initials === '' ? '' : `, ${initials}`}${tail}`;
}

/** `Jean-Luc` → `J. -L.`, as ADS writes it. */
function initialsOf(given: string): string {
  return given
    .split('-')
    .filter((part) => part !== '')
    .map((part) => `${escapeText([...part][0] ?? '')}.`)
    .join(' -');
}

function escapeText(text: string): string {
  const superscripts = text.normalize('NFC').replace(/⁻¹/g, '$^{-1}$');
  return superscripts
    .split(/(\$\^\{-1\}\$)/)
    .map((part) => (part === '$^{-1}$' ? part : [...part].map(escapeCharacter).join('')))
    .join('');
}

function escapeCharacter(character: string): string {
  const known = SPECIAL[character] ?? LETTERS[character];
  if (known !== undefined) return known;
  const [letter = '', accent] = character.normalize('NFD');
  const command = accent === undefined ? undefined : ACCENTS[accent];
  return command === undefined ? character : `{${command}{${letter}}}`;
}
