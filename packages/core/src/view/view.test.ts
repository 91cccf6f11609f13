/** `view = fold(messages, edits)`: pure, and every stored message stays where it was stored. */
import { describe, expect, it } from 'vitest';
import { type Message, messageId, textOf } from '../message/message.ts';
import type { ContextEdit, Replacement } from './edit.ts';
import { foldView } from './view.ts';

const base = (ordinal: number) => ({
  id: messageId(ordinal),
  agentName: 'lead',
  turnIndex: 1,
  step: 1,
  tokens: 10,
  createdAtMs: 0,
});
const user = (ordinal: number): Message => ({
  ...base(ordinal),
  role: 'user',
  parts: [{ type: 'text', text: `u${ordinal}` }],
});
const result = (ordinal: number, text = `long ${ordinal}`) => ({
  type: 'tool-result' as const,
  toolCallId: `c${ordinal}`,
  name: 'read_file',
  status: 'ok' as const,
  text,
});
const tool = (ordinal: number): Message => ({ ...base(ordinal), role: 'tool', parts: [result(ordinal)] });
const mask = (ordinal: number): ContextEdit => ({
  kind: 'rewrite',
  layer: 'micro',
  message: messageId(ordinal),
  parts: [result(ordinal, `[m${ordinal}]`)],
  tokens: 2,
  reason: 'mask',
});
const summary = (ordinal: number, from: number, to: number): ContextEdit => {
  const replacement: Replacement = {
    ...base(ordinal),
    role: 'user',
    kind: 'summary',
    covers: { from: messageId(from), to: messageId(to) },
    digest: { messages: to - from + 1, words: [], facts: [], narrative: null },
    parts: [{ type: 'text', text: `s${from}-${to}` }],
  };
  return { kind: 'replace', layer: 'auto', replacement };
};
const messages = [user(1), tool(2), user(3), tool(4), user(5)];
const texts = (view: Iterable<Message>) => [...view].map(textOf);

describe('foldView', () => {
  it('is the messages where there are no edits', () => {
    expect(texts(foldView(messages, []))).toEqual(['u1', 'long 2', 'u3', 'long 4', 'u5']);
  });

  it('masks a result in its place and leaves the stored message alone', () => {
    const view = foldView(messages, [mask(2)]);
    expect(texts(view)).toEqual(['u1', '[m2]', 'u3', 'long 4', 'u5']);
    expect(view.at(1)).toMatchObject({ id: 'm2', tokens: 2, masked: true });
    expect(texts(messages)).toEqual(['u1', 'long 2', 'u3', 'long 4', 'u5']);
  });

  it('puts one message in the place of a range, and a wider one in the place of that', () => {
    const first = foldView(messages, [summary(6, 2, 3)]);
    expect(texts(first)).toEqual(['u1', 's2-3', 'long 4', 'u5']);
    expect(texts(foldView(first, [summary(7, 2, 4)]))).toEqual(['u1', 's2-4', 'u5']);
  });

  it('does not mask what a replacement of the same compaction covers', () => {
    expect(texts(foldView(messages, [mask(4), summary(6, 2, 4)]))).toEqual(['u1', 's2-4', 'u5']);
  });

  it('gives the same view again', () => {
    const edits = [mask(4), summary(6, 1, 2)];
    expect(texts(foldView(messages, edits))).toEqual(texts(foldView(messages, edits)));
  });
});
