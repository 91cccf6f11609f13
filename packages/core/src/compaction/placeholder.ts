/** What stands for a masked result: what it was, how to get it back, and what of it is most likely to be used. */
import { type ToolMessage, textOf } from '../message/message.ts';

const FIRST_LINE_CHARS = 120;

/** `[Previous: used search_papers] ok · 3 812 tokens · recall m42`, its first line, its best literals. */
export function placeholderText(message: ToolMessage, literals: readonly string[]): string {
  const { name, status } = message.parts[0];
  const head = `[Previous: used ${name}] ${status} · ${grouped(message.tokens)} tokens · recall ${message.id}`;
  const first = firstLine(textOf(message));
  const listed = literals.filter((literal) => !first.includes(literal));
  return [head, first, listed.join(' · ')].filter((line) => line !== '').join('\n');
}

/** Cut between characters. */
function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]?.trim() ?? '';
  if (line.length <= FIRST_LINE_CHARS) return line;
  return `${line.slice(0, FIRST_LINE_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** 3812 as `3 812`: read at a glance, the same in every language. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}
