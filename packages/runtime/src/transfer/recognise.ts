/** Which program wrote a file, by what stands in it. */
import { isObject, readJsonLines } from './json-lines.ts';
import { SESSION_FORMAT } from './session-file.ts';
import type { ImportFormat } from './transfer-types.ts';

const LOOKED_AT_LINES = 50;

/** Null: none that we know, or no JSON at all. */
export function recogniseFormat(text: string): ImportFormat | null {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('[')) return 'openai';
  const head = start.split('\n', LOOKED_AT_LINES + 1).slice(0, LOOKED_AT_LINES);
  for (const line of head) {
    const read = readJsonLines(line);
    if (read.kind === 'unreadable')
      return start.startsWith('{') && /"messages"\s*:/.test(start) ? 'openai' : null;
    for (const { value } of read.lines) {
      const format = formatOf(value);
      if (format !== null) return format;
    }
  }
  return null;
}

function formatOf(value: Readonly<Record<string, unknown>>): ImportFormat | null {
  if (value.format === SESSION_FORMAT) return 'jsonl';
  if (value.type === 'session_meta' || value.type === 'response_item') return 'codex';
  if (value.type === 'session' && typeof value.id === 'string') return 'pi';
  if ((value.type === 'user' || value.type === 'assistant') && isObject(value.message)) return 'claude-code';
  if (typeof value.role === 'string' || Array.isArray(value.messages)) return 'openai';
  return null;
}
