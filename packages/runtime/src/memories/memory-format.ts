/** A memory as a Markdown file with front matter, and the index over all of them. */
import { isoTime } from '@astroresearch/core';
import { formatFrontMatter, parseFrontMatter } from '../files/front-matter.ts';
import { MEMORY_TYPES, type Memory, type MemoryType } from './memory.ts';

export const INDEX_FILE = 'MEMORY.md';

const INDEX_LINE_CHARS = 120;

export function formatMemory(memory: Memory): string {
  return formatFrontMatter(
    new Map([
      ['name', memory.name],
      ['type', memory.type],
      ['created', isoTime(memory.createdAtMs)],
      ['updated', isoTime(memory.updatedAtMs)],
    ]),
    memory.content,
  );
}

/** `modifiedAtMs`: the file's own time, for files without dates. A string says why it is no memory. */
export function parseMemory(text: string, name: string, modifiedAtMs: number): Memory | string {
  const file = parseFrontMatter(text);
  if (file.kind === 'broken') return file.reason;
  const stated = file.fields.get('name');
  if (stated !== name) return `name: must be ${name}, as the file is called`;
  const type = file.fields.get('type');
  if (!isMemoryType(type)) return `type: must be one of ${MEMORY_TYPES.join(', ')}`;
  if (file.body === '') return 'the content is empty';
  const updatedAtMs = timeOf(file.fields.get('updated')) ?? modifiedAtMs;
  const createdAtMs = timeOf(file.fields.get('created')) ?? updatedAtMs;
  return { type, name, content: file.body, createdAtMs, updatedAtMs };
}

/** One line a memory, by name, so that the same memories always give the same bytes. */
export function formatIndex(memories: readonly Memory[]): string {
  const lines = [...memories]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, content }) => `- [${name}](${name}.md) (${type}): ${firstLine(content)}`);
  return `${['# Memory', '', ...lines].join('\n')}\n`;
}

function firstLine(content: string): string {
  const line = content.split('\n', 1)[0] ?? '';
  const characters = [...line];
  if (characters.length <= INDEX_LINE_CHARS) return line;
  return `${characters.slice(0, INDEX_LINE_CHARS).join('')}…`;
}

function isMemoryType(value: unknown): value is MemoryType {
  return MEMORY_TYPES.some((type) => type === value);
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
