/** Whether a work is by an author or on an object, whatever way the name is written. */
import { nameKey } from '../objects/name-key.ts';
import type { Work } from './work.ts';

/** All names of the object that has this name, itself included. */
export type NamesOf = (name: string) => readonly string[];

/** `Riess`, `Riess, A.`, `adam riess`; `^Riess` asks for the first author. */
export function authorMatches(work: Work, author: string): boolean {
  const first = author.trim().startsWith('^');
  const wanted = wordsOf(author);
  if (wanted.length === 0) return true;
  const [family = '', ...rest] = author.includes(',') ? wanted : [...wanted].reverse();
  return (first ? work.authors.slice(0, 1) : work.authors).some((name) => {
    const listed = wordsOf(name);
    const whole = wanted.every((word) => listed.includes(word));
    // Given names may be initials on either side.
    const initials = rest.every((word) =>
      listed.some((other) => other.startsWith(word) || word.startsWith(other)),
    );
    return whole || (listed.includes(family) && initials);
  });
}

export function objectMatches(work: Work, object: string, namesOf: NamesOf): boolean {
  const wanted = new Set([object, ...namesOf(object)].map(nameKey));
  return work.objects.some((name) => [name, ...namesOf(name)].some((one) => wanted.has(nameKey(one))));
}

function wordsOf(name: string): readonly string[] {
  return (
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}
