/** The X-ray in a terminal: a bar, what its letters are, one line a block. */
import type { ContextBlock, ContextTotals, RequestContext } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { contextLines } from './context-lines.ts';

const LIMITS = { softTokens: 32_000, hardTokens: 40_000, triggerTokens: 32_000, windowTokens: 128_000 };
const NO_TOTALS: ContextTotals = {
  tools: 0,
  system: 0,
  memory: 0,
  history: 0,
  toolResults: 0,
  summary: 0,
  restoredFiles: 0,
  reminders: 0,
};

function block(change: Partial<ContextBlock>): ContextBlock {
  return {
    role: 'user',
    kind: 'user',
    ref: 'm2',
    tokens: 10,
    cached: false,
    createdAtMs: 1,
    replacedBy: null,
    ...change,
  };
}

function context(change: Partial<RequestContext>): RequestContext {
  return {
    request: 3,
    isNext: false,
    blocks: [],
    totals: NO_TOTALS,
    tokens: 0,
    cachedPrefixTokens: 0,
    breaker: 'closed',
    ...change,
  };
}

const compacted = context({
  tokens: 20_000,
  cachedPrefixTokens: 1_500,
  totals: { ...NO_TOTALS, system: 1_500, summary: 8_500, restoredFiles: 9_990, history: 10 },
  blocks: [
    block({ role: 'system', kind: 'system', ref: 'm1', tokens: 1_500, cached: true }),
    block({
      kind: 'summary',
      ref: 'm2-m31',
      tokens: 8_500,
      replacedBy: {
        layer: 'auto',
        atRequest: 3,
        trigger: 'auto',
        reason: 'summary',
        tokensSaved: 12_345,
      },
    }),
    block({ kind: 'restored_file', ref: 'm33', tokens: 9_990 }),
    block({ ref: 'm34' }),
  ],
});

describe('contextLines', () => {
  it('draws the request against the hard limit, each part by its letter and in proportion', () => {
    const [title, bar = '', legend, limits] = contextLines(compacted, LIMITS, 'en');
    expect(title).toBe('Request 3: 20 000 tokens, 1 500 of them cached; breaker closed');
    const cells = (letter: string) => bar.split(letter).length - 1;
    expect(cells('C') / cells('F')).toBeCloseTo(8_500 / 9_990, 0);
    expect(cells('S')).toBeGreaterThan(0);
    expect(cells('H')).toBeGreaterThan(0);
    expect(cells('T')).toBe(0);
    expect(legend).toBe('S system 1 500 · C summary 8 500 · H history 10 · F restored files 9 990');
    expect(limits).toContain('hard 40 000');
  });

  it('lists every block in columns, with the layer that put it there', () => {
    const lines = contextLines(compacted, LIMITS, 'en');
    const rows = lines.slice(lines.indexOf('') + 1);
    expect(rows).toHaveLength(5);
    expect(rows[1]).toMatch(/^m1 +system +system +1 500 +\*$/);
    expect(rows[2]).toMatch(/^m2-m31 .*auto since request 3 \(auto, summary\), saves 12 345$/);
    const column = rows[2]?.indexOf('8 500') ?? -1;
    expect(rows[3]?.indexOf('9 990')).toBe(column);
  });

  it('keeps the columns where words are in Chinese, and says what has not been sent yet', () => {
    const lines = contextLines({ ...compacted, isNext: true }, LIMITS, 'zh');
    expect(lines[0]).toContain('请求 3（下一个）');
    const rows = lines.slice(lines.indexOf('') + 1);
    expect(rows[2]).toContain('auto，始于请求 3（auto，summary），省 12 345');
    expect(rows[1]).toMatch(/^m1 +system/);
  });

  it('of an empty session says that there are no messages', () => {
    expect(contextLines(context({ request: 1, isNext: true }), LIMITS, 'en').at(-1)).toBe(
      '(no messages yet)',
    );
    expect(contextLines(context({ request: 1, isNext: true }), LIMITS, 'zh').at(-1)).toBe('（还没有消息）');
  });

  it('is as wide however much is in the request, and leaves no part without a letter', () => {
    for (const history of [1, 500, 40_000, 90_000]) {
      const totals = { ...NO_TOTALS, history, tools: 1, reminders: 1 };
      const bar = contextLines(context({ totals, tokens: history + 2 }), LIMITS, 'en')[1] ?? '';
      expect(bar).toMatch(/^\[TH+N·*\]$/);
      expect(bar).toHaveLength(66);
    }
  });
});
