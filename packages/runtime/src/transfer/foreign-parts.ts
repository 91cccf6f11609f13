/** What the files of other programs have in common: content blocks, as parts of ours. */
import type { Part, ToolResultPart } from '@astroresearch/core';
import { type Fields, isObject } from './json-lines.ts';

/** A message in our own recorded form (`recorded-message.ts` in core). */
export type Draft = {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly Part[];
  readonly kind?: 'summary';
};

/** Text of a content that is a text or a list of blocks; what is no text is named, never copied. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content))
    return content === null || content === undefined ? '' : JSON.stringify(content);
  return content.map(blockText).join('\n');
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block;
  if (!isObject(block)) return '';
  if (typeof block.text === 'string') return block.text;
  const type = stringOf(block.type);
  return type.includes('image') ? '[image]' : `[${type === '' ? 'part' : type}]`;
}

export function textParts(text: string): readonly Part[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

export function reasoningParts(text: string): readonly Part[] {
  return text === '' ? [] : [{ type: 'reasoning', text }];
}

export function callPart(id: unknown, name: unknown, given: unknown): Part {
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? {});
  return { type: 'tool-call', toolCallId: stringOf(id), name: stringOf(name) || 'unknown', arguments: text };
}

export function resultDraft(id: unknown, name: string, text: string, isError: boolean): Draft {
  const status = isError ? 'error' : 'ok';
  const part: ToolResultPart = { type: 'tool-result', toolCallId: stringOf(id), name, status, text };
  return { role: 'tool', parts: [part] };
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
