/** `view = fold(messages, edits)`: pure, and every stored message stays where it was stored. */
import { describe, expect, it } from 'vitest';
import { type Message, messageId, textOf } from '../message/message.ts';
import { foldView } from './view.ts';

const base = (ordinal: number) => ({
  id: messageId(ordinal),
  agentName: 'lead',
  turnIndex: 1,
  step: 1,
  tokens: 1,
  createdAtMs: 0,
});
const user = (ordinal: number): Message => ({
  ...base(ordinal),
  role: 'user',
  parts: [{ type: 'text', text: `u${ordinal}` }],
});
const tool = (ordinal: number): Message => ({
  ...base(ordinal),
  role: 'tool',
  parts: [
    {
      type: 'tool-result',
      toolCallId: `c${ordinal}`,
      name: 'read_file',
      status: 'ok',
      text: `long ${ordinal}`,
    },
  ],
});
const messages = [user(1), tool(2), user(3), tool(4), user(5)];
const texts = (view: Iterable<Message>) => [...view].map(textOf);

describe('foldView', () => {
  it('is the messages where there are no edits', () => {
    expect(texts(foldView(messages, []))).toEqual(['u1', 'long 2', 'u3', 'long 4', 'u5']);
  });

  it('masks a result in its place and leaves the stored message alone', () => {
    const view = foldView(messages, [{ kind: 'mask', message: 'm2', text: '[m2]' }]);
    expect(texts(view)).toEqual(['u1', '[m2]', 'u3', 'long 4', 'u5']);
    expect(texts(messages)).toEqual(['u1', 'long 2', 'u3', 'long 4', 'u5']);
  });

  it('puts one message in the place of a range', () => {
    const view = foldView(messages, [{ kind: 'replace', from: 'm2', to: 'm4', replacement: user(6) }]);
    expect(texts(view)).toEqual(['u1', 'u6', 'u5']);
  });

  it('gives the same view again', () => {
    const edits = [
      { kind: 'mask', message: 'm4', text: '[m4]' },
      { kind: 'replace', from: 'm1', to: 'm2', replacement: user(6) },
    ] as const;
    expect(texts(foldView(messages, edits))).toEqual(texts(foldView(messages, edits)));
  });
});
