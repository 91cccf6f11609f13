/** Rows of messages: readable columns, each text once, and the exact message back. */
import type { Message, Part } from '@astroresearch/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMessage } from './generated-log.contract.ts';
import { toMessage, toMessageRow } from './message-rows.ts';
import { isReadable } from './readable-text.ts';

const base = { id: 'm7', agentName: 'lead', turnIndex: 2, step: 1, tokens: 9, createdAtMs: 5 } as const;
const reasoning = (text: string, signature?: string): Part =>
  signature === undefined ? { type: 'reasoning', text } : { type: 'reasoning', text, signature };
const text = (words: string): Part => ({ type: 'text', text: words });
const call = (toolCallId: string): Part => ({
  type: 'tool-call',
  toolCallId,
  name: 'search_ads',
  arguments: '{"q":"a"}',
});
const assistant = (...parts: readonly Part[]) =>
  ({ ...base, role: 'assistant', ending: 'stop', parts }) as unknown as Message;

describe('a row', () => {
  it.each([
    ['no part', []],
    ['one text', [text('words')]],
    ['an empty text', [text('')]],
    ['reasoning, text, calls', [reasoning('why'), text('words'), call('1'), call('2')]],
    ['calls alone', [call('1'), call('2')]],
  ])('needs no layout for %s', (_, parts) => {
    const row = toMessageRow('s', assistant(...parts));
    expect(row.parts).toBeNull();
    expect(toMessage(row)).toStrictEqual(assistant(...parts));
  });

  it.each([
    ['signed reasoning', [reasoning('first why', 'proof'), text('words')], '[["r",9,"proof"],["t",5]]'],
    ['text before reasoning', [text('words'), reasoning('why')], '[["t",5],["r",3]]'],
    ['calls between texts', [text('one'), call('1'), text('two 🌌')], '[["t",3],["c"],["t",6]]'],
    ['halves of one character', [text('a\ud83c'), text('\udf0c')], '[["t",2],["t",1]]'],
  ])('describes %s by lengths, not by its text', (_, parts, pieces) => {
    const row = toMessageRow('s', assistant(...parts));
    expect(row.parts).toBe(`{"pieces":${pieces}}`);
    expect(toMessage(row)).toStrictEqual(assistant(...parts));
  });

  it('shows text that SQL cannot hold as text that it can, and still gives back the exact one', () => {
    const parts = [text('a\ud800b\0c')];
    const row = toMessageRow('s', assistant(...parts));
    expect(row.content).toBe('a\ufffdb\ufffdc');
    expect(toMessage(row)).toStrictEqual(assistant(...parts));
  });

  it('keeps fields that later code may add to a message or a part', () => {
    const later = {
      ...assistant({ ...text('words'), cacheHint: true } as unknown as Part),
      pinned: { since: 3 },
    };
    expect(toMessage(toMessageRow('s', later))).toStrictEqual(later);
  });

  it('has nothing but readable text in its columns, and gives back any message', () => {
    fc.assert(
      fc.property(anyMessage, (generated) => {
        const message = structuredClone(generated);
        const row = toMessageRow('s', message);
        for (const column of Object.values(row)) {
          if (typeof column === 'string') expect(isReadable(column)).toBe(true);
        }
        expect(toMessage(row)).toStrictEqual(message);
      }),
    );
  });
});
