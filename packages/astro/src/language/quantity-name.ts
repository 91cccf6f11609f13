/** The name of a measured quantity in the language of the answer. */
import type { Language } from '@astroresearch/core';
import { z } from 'zod';
import namesFile from './quantity-names.data.json' with { type: 'json' };

/** English → Chinese; `*` stands for the object. */
const NAMES = Object.entries(z.record(z.string(), z.string()).parse(namesFile));
const EXACT = new Map(NAMES);
const PATTERNS = NAMES.filter(([english]) => english.endsWith('*')).map(([english, chinese]) => ({
  prefix: english.slice(0, -1),
  chinese,
}));

/** A name that the table does not hold stays English. */
export function quantityName(english: string, language: Language): string {
  if (language === 'en') return english;
  const exact = EXACT.get(english);
  if (exact !== undefined) return exact;
  const pattern = PATTERNS.find(({ prefix }) => english.startsWith(prefix));
  if (pattern === undefined) return english;
  const object = english.slice(pattern.prefix.length).replace(/^the /, '');
  return pattern.chinese.replace('*', () => object);
}
