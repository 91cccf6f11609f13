/** Finds the names of objects in a question: catalogue numbers by their form, other names by the tables. */
import { nameKey } from './name-key.ts';
import type { SkyObject } from './sky-object.ts';

/** `name` as it was written; `start` and `end` are positions in the text. */
export type NameInText = { readonly name: string; readonly start: number; readonly end: number };

/** The names in a text in their order, none inside another and no object twice. */
export type NamesIn = (text: string) => readonly NameInText[];

/** Questions are short; what comes after is not searched. */
const MAX_CHARS = 4000;

/** Blanks between a catalogue and its number are a matter of taste. */
const CATALOGUE_FORMS: readonly string[] = [
  String.raw`(?:NGC|IC|UGC|UGCA|PGC|ESO|Messier|Mrk|Markarian|Arp|Abell|ACO|Barnard|LDN|Sh2)[\s-]*\d{1,7}[A-Z]?`,
  String.raw`M\s?\d{1,3}\*?`,
  String.raw`(?:HD|HDE|HIP|HR|BD|GJ|Gliese|LHS|Ross|Wolf|LTT|KIC|EPIC|TIC|TYC|KOI)[\s-]*\d{1,10}(?:\s?[b-i])?`,
  String.raw`(?:Kepler|K2|TRAPPIST|TOI|WASP|HATS?-P|HATS|CoRoT|XO|KELT|LTT|OGLE|MASCARA|NGTS)-\d{1,5}(?:\s?[b-i])?`,
  String.raw`PSR\s?[BJ]?\d{4}[+−-]\d{2,4}[A-Z]?`,
  String.raw`(?:PKS|PG|TXS|QSO|SDSS|2MASS|1ES|MACS)\s?J?\d{4}(?:\.\d)?[+−.-]\d{2,6}`,
  String.raw`(?:3C|4C|OJ)\s?\d{1,3}(?:\.\d{1,2})?`,
  String.raw`(?:SNR?|AT)\s?(?:1[0-9]|20)\d{2}[A-Za-z]{1,4}`,
  String.raw`(?:GW|GRB|FRB)\s?\d{6,8}[A-Z]?`,
  String.raw`[1-9]I(?:\/[A-Za-z'ʻ’]+)?`,
  String.raw`[CPD]\/\d{4}\s[A-Z]\d{1,2}(?:\s\([A-Za-z'ʻ’-]+\))?`,
];

/** `isInsideTerm`: a longer term of the language begins where the name does (Mira in `Mira variables`). */
export function createNameFinder(
  objects: readonly SkyObject[],
  isInsideTerm: (text: string, start: number, end: number) => boolean = () => false,
): NamesIn {
  const keyToObject = new Map(
    objects.flatMap((object) => [object.id, ...object.names].map((name) => [nameKey(name), object] as const)),
  );
  const names = [...new Set(objects.flatMap(({ id, names: others }) => [id, ...others]))];
  // Greek letters of Bayer names stand in front of Latin ones; a word with a capital only counts with it.
  const single = names.filter((name) => /^(?:\p{Lu}[\p{L}'*]{3,}|\p{Lu}{3})$/u.test(name) && !HAN.test(name));
  const several = names.filter((name) => !HAN.test(name) && name.length >= 4 && /[\s\d*'-]/.test(name));
  const chinese = names.filter((name) => HAN.test(name) && name.length >= 2);
  const patterns = [
    bounded([...CATALOGUE_FORMS], 'giu'),
    bounded(several.map(spelling), 'giu'),
    bounded(single.map(escaped), 'gu'),
    new RegExp(byLength(chinese.map(spelling)).join('|'), 'giu'),
  ];

  return (text) => {
    const searched = text.slice(0, MAX_CHARS);
    const found = patterns
      .flatMap((pattern) => [...searched.matchAll(pattern)])
      .map(({ 0: name, index }) => ({ name, start: index, end: index + name.length }))
      .filter(({ start, end }) => !isInsideTerm(searched, start, end))
      .sort((a, b) => a.start - b.start || b.end - a.end);
    const kept: NameInText[] = [];
    const known = new Set<string>();
    for (const one of found) {
      if (one.start < (kept.at(-1)?.end ?? 0)) continue;
      const key = keyToObject.get(nameKey(one.name))?.id ?? nameKey(one.name);
      if (!known.has(key)) kept.push(one);
      known.add(key);
    }
    return kept;
  };
}

const HAN = /\p{Script=Han}/u;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
const spelling = (name: string) => escaped(name).replace(/\s+/g, String.raw`\s*`);
const byLength = (alternatives: readonly string[]) => [...alternatives].sort((a, b) => b.length - a.length);

/** Chinese follows a name without a blank, so only Latin letters and digits end it. */
function bounded(alternatives: readonly string[], flags: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9/])(?:${byLength(alternatives).join('|')})(?![A-Za-z0-9])`, flags);
}
