/** How far the estimate is from the exact count: before a report, and after three of them (context.md 3; quality.md 4). */
import {
  addTokens,
  type ContextSize,
  EMPTY_CONTEXT,
  estimateContext,
  estimateTokens,
  recordUsage,
  settleUsage,
} from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { loadO200k } from './token-counter.ts';

const LOREM = {
  English:
    'The Cepheid distance to the host galaxy was measured again with better photometry, and the value moved by less than its error. ',
  Chinese: '利用造父变星重新测量了宿主星系的距离，新的光度测量更精确，数值的变化小于其误差。',
  Japanese: 'セファイド変光星を用いて母銀河までの距離を改めて測定し、その値の変化は誤差より小さかった。',
  code: 'export function toParsec(modulus: number): number {\n  return 10 ** ((modulus + 5) / 5);\n}\n',
  JSON: '{"name": "NGC 1068", "distance_mpc": 10.72, "refs": ["2602.22407", "2211.09972"], "z": 0.003793}\n',
};

/** Of the provider's own: what no count of ours sees. */
const OVERHEAD = 1.07;

describe('the estimate', () => {
  const kinds = Object.entries(LOREM).map(([kind, unit]) => ({ kind, unit }));
  it.each(kinds)('of $kind is within 2 % after three responses, whatever it was before', async ({ unit }) => {
    const exact = await loadO200k();
    let size: ContextSize = EMPTY_CONTEXT;
    let sent = 0;
    for (let turn = 1; turn <= 6; turn++) {
      const question = unit.repeat(3 + turn);
      const answer = unit.repeat(9 - turn);
      size = addTokens(size, estimateTokens(question));
      sent += exact(question) * OVERHEAD;
      const promptTokens = Math.round(sent);
      if (turn > 3) expect(Math.abs(estimateContext(size) / promptTokens - 1)).toBeLessThan(0.02);
      const completionTokens = Math.round(exact(answer) * OVERHEAD);
      const reported = {
        promptTokens,
        completionTokens,
        cachedTokens: 0,
        reasoningTokens: 0,
        estimated: false,
      };
      size = recordUsage(size, settleUsage(size, reported, estimateTokens(answer)), estimateTokens(answer));
      sent += exact(answer) * OVERHEAD;
    }
  });
});
