/** Notices as a person reads them in a terminal. */
import { describe, expect, it } from 'vitest';
import { noticeText } from './notice-text.ts';

describe('noticeText', () => {
  it.each([
    [
      'retry',
      { kind: 'rate_limited', delay_ms: 12_300, attempt: 2 },
      'waiting 12 s: rate_limited (failure 2; Ctrl-C stops)',
    ],
    [
      'recovery',
      { kind: 'context_too_long', action: 'reactive_compact' },
      'recovering (context_too_long): reactive_compact',
    ],
    [
      'recovery',
      { kind: 'context_too_long', action: 'shrink_output', skipped: 'no limit' },
      'recovering (context_too_long): shrink_output skipped, no limit',
    ],
    ['recovery', { kind: 'context_too_long', action: 'surface' }, null],
    ['model_switch', { from: 'a', to: 'b', reason: 'overloaded' }, 'switched to the model b (overloaded)'],
    [
      'compaction',
      { outcome: 'compacted', tokens_before: 9_000, tokens_after: 4_000 },
      'context made smaller: 9000 → 4000 tokens',
    ],
    [
      'usage',
      { suspected_truncation: true },
      'the provider read much less than was sent: it may have cut the context. Set LLM_CONTEXT_WINDOW to what it really takes',
    ],
    ['usage', { prompt_tokens: 9 }, null],
    ['compaction', { outcome: 'nothing_to_do', tokens_before: 9, tokens_after: 9 }, null],
    ['text_delta', { text: 'x' }, null],
  ])('tells of %s %j', (type, data, text) => {
    expect(noticeText(type, data, 'en')).toBe(text);
  });

  it('speaks Chinese as well', () => {
    expect(noticeText('retry', { kind: 'overloaded', delay_ms: 400, attempt: 1 }, 'zh')).toContain(
      '等待 1 秒',
    );
  });
});
