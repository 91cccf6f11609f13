/** A tool call in one line: which icon, and its arguments in short. */
import type { IconName } from './icon.tsx';

/** The first word that a tool's name contains decides. */
const ICONS: readonly (readonly [RegExp, IconName])[] = [
  [/todo|task|plan/, 'list'],
  [/paper|parse|read_section|bib/, 'paper'],
  [/search|ads|arxiv|recall/, 'search'],
  [/resolve|simbad|vizier|query|catalog|sky|target/, 'telescope'],
  [/file|write|download/, 'file'],
];

export function toolIcon(name: string): IconName {
  return ICONS.find(([words]) => words.test(name))?.[1] ?? 'tool';
}

const MOST_CHARS = 120;

/** `"NGC 1068 neutrino", 2020–2024, …`: the values say more than their names. */
export function shortArguments(value: unknown): string {
  const values = typeof value === 'object' && value !== null ? Object.values(value) : [value];
  const text = values
    .map(shortValue)
    .filter((one) => one !== '')
    .join(' · ');
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function shortValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.replace(/\s+/g, ' ').trim();
    case 'number':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return '';
      if (!Array.isArray(value)) return '{…}';
      return value.every((one) => typeof one === 'string') ? value.join(', ') : `[${value.length}]`;
    default:
      return '';
  }
}

/** Whole arguments for reading. */
export function prettyArguments(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
