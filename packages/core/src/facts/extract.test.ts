/** Best literals and the summary without a model, told by what a reader finds in them. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../message/message.ts';
import { bestLiterals } from './best-literals.ts';
import { extractiveSummary } from './extract.ts';

const base = { agentName: 'lead', turnIndex: 1, step: 1, tokens: 1, createdAtMs: 0 } as const;
const said = (id: Message['id'], text: string, tool?: string): Message => ({
  ...base,
  id,
  role: 'assistant',
  ending: 'stop',
  parts: [
    { type: 'text', text },
    ...(tool === undefined
      ? []
      : [{ type: 'tool-call' as const, toolCallId: id, name: tool, arguments: '{}' }]),
  ],
});
const words = (text: string) => text.length / 4;

describe('bestLiterals', () => {
  it('puts what names a thing before what measures one, and lists no part of what it lists', () => {
    const text = 'rows 12345 and 67890, see data/m31/catalog.fits and NGC1068 at 10.72';
    expect(bestLiterals(text, 2)).toEqual(['data/m31/catalog.fits', 'NGC1068']);
    expect(bestLiterals(text, 12)).not.toContain('catalog.fits');
  });

  it('puts what was used before ahead of everything', () => {
    expect(bestLiterals('data/a.fits data/b.fits 12345', 1, (literal) => literal === '12345')).toEqual([
      '12345',
    ]);
  });
});

describe('extractiveSummary', () => {
  const messages = [
    said(
      'm3',
      'Let me think about this for a while. The cluster lies at z = 0.0231 in data/coma.fits.',
      'read_file',
    ),
    said('m5', '接下来看看。星系 NGC1068 的距离为 10.72 Mpc，见 2211.09972。', 'read_file'),
    said('m7', 'That is all that there is to say about it now.', 'todo_write'),
  ];

  it('tells what was done and keeps the sentences that carry facts, in order, with their refs', () => {
    const text = extractiveSummary({ messages, budgetTokens: 40, count: words, language: 'en' });
    expect(text.split('\n')).toEqual([
      'Done: read_file ×2, todo_write.',
      '- [m3] The cluster lies at z = 0.0231 in data/coma.fits.',
      '- [m5] 星系 NGC1068 的距离为 10.72 Mpc，见 2211.09972。',
    ]);
  });

  it('stays within its budget and says nothing where there is nothing', () => {
    const text = extractiveSummary({ messages, budgetTokens: 12, count: words, language: 'zh' });
    expect(words(text)).toBeLessThanOrEqual(13);
    expect(extractiveSummary({ messages: [], budgetTokens: 99, count: words, language: 'en' })).toBe('');
  });
});
