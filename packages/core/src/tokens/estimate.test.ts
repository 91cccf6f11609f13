/** What the estimator must never get wrong: common words, Chinese, growth, and the parts of a message that are not text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countMessage, estimateTokens } from './estimate.ts';

describe('estimateTokens', () => {
  it('counts one token for each common English word', () => {
    const words =
      'the and for not you all can her was one our out day get has him his how man new now old see two way';
    const ratio = estimateTokens(words) / words.split(' ').length;
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.15);
  });

  it('never counts Chinese as a quarter of a token a character', () => {
    const text = '活动星系核的中微子辐射与喷流的物理机制';
    expect(estimateTokens(text)).toBeGreaterThan([...text].length * 0.6);
    expect(estimateTokens(text)).toBeLessThan([...text].length * 1.1);
  });

  it('grows with the text and is never negative', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(estimateTokens(a)).toBeGreaterThanOrEqual(0);
        expect(estimateTokens(`${a} ${b}`)).toBeGreaterThanOrEqual(estimateTokens(a) - 1);
      }),
    );
  });

  it('counts names and arguments of calls, and reasoning', () => {
    const call = { type: 'tool-call' as const, toolCallId: 'c', name: 'search', arguments: '{"q":"x"}' };
    const bare = countMessage([{ type: 'text', text: 'hello' }], estimateTokens);
    expect(countMessage([{ type: 'text', text: 'hello' }, call], estimateTokens)).toBeGreaterThan(bare + 5);
    expect(
      countMessage(
        [
          { type: 'reasoning', text: 'hello' },
          { type: 'text', text: 'hello' },
        ],
        estimateTokens,
      ),
    ).toBe(bare + estimateTokens('hello'));
  });
});
