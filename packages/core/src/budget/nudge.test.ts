/** At most one nudge a call, the highest that applies, each level at most once a turn. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, DEFAULT_BUDGET, escalate, isExhausted } from './budget.ts';
import { dueNudge, NUDGE_LEVELS, type NudgeLevel, thresholdTokens } from './nudge.ts';
import { diminishingText, nudgeText } from './texts.ts';

/** The nudges before each call of a turn whose spending stands at these figures. */
function nudgesOf(spending: readonly number[], budget: Budget): readonly (NudgeLevel | null)[] {
  const given: NudgeLevel[] = [];
  return spending.map((spent) => {
    const level = dueNudge(spent, budget, given);
    if (level !== null) given.push(level);
    return level;
  });
}

describe('dueNudge', () => {
  it('gives each level when it is reached, and then rests', () => {
    expect(nudgesOf([0, 25_599, 25_600, 30_000, 32_000, 39_999, 40_000, 50_000], DEFAULT_BUDGET)).toEqual([
      null,
      null,
      'near_soft',
      null,
      'over_soft',
      null,
      'over_hard',
      null,
    ]);
  });

  it('gives only the highest level when one step reaches several, and never a lower one later', () => {
    expect(nudgesOf([0, 45_000, 45_100], DEFAULT_BUDGET)).toEqual([null, 'over_hard', null]);
    expect(nudgesOf([0, 33_000, 34_000], DEFAULT_BUDGET)).toEqual([null, 'over_soft', null]);
  });

  it('says nothing new after an escalation until a level not yet given is the highest', () => {
    const raised = escalate(DEFAULT_BUDGET);
    expect(dueNudge(41_000, raised, ['near_soft', 'over_soft', 'over_hard'])).toBeNull();
    expect(dueNudge(41_000, raised, ['over_hard'])).toBe('over_soft');
    expect(dueNudge(64_000, raised, ['over_hard', 'over_soft'])).toBeNull();
  });

  it('rises within a turn, gives each level at most once, and always tells an exhausted turn so', () => {
    const spending = fc
      .array(fc.nat(9_000), { minLength: 1, maxLength: 20 })
      .map((steps) =>
        steps.map((_, index) => steps.slice(0, index + 1).reduce((sum, step) => sum + step, 0)),
      );
    const limits = fc
      .tuple(fc.integer({ min: 100, max: 40_000 }), fc.nat(20_000))
      .map(([softTokens, more]) => ({ softTokens, hardTokens: softTokens + more }));
    fc.assert(
      fc.property(spending, limits, (spent, budget) => {
        const nudges = nudgesOf(spent, budget);
        const given = nudges.filter((level) => level !== null);
        const ranks = given.map((level) => NUDGE_LEVELS.indexOf(level));
        expect(ranks).toEqual([...new Set(ranks)].sort());
        expect(given.includes('over_hard')).toBe(isExhausted(spent.at(-1) ?? 0, budget));
        nudges.forEach((level, index) => {
          if (level !== null) expect(spent[index]).toBeGreaterThanOrEqual(thresholdTokens(level, budget));
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('texts', () => {
  it('carry the mark of their level and the figures, in both languages', () => {
    const marks = { near_soft: '💡', over_soft: '🟡', over_hard: '🔴' } as const;
    for (const level of NUDGE_LEVELS) {
      for (const language of ['zh', 'en'] as const) {
        const text = nudgeText(level, 31_234, 32_000, language);
        expect(text.startsWith(marks[level])).toBe(true);
        expect(text).toContain('31234');
        expect(text).toContain('32000');
      }
    }
    expect(diminishingText('zh')).toContain('最终答案');
    expect(diminishingText('en')).toContain('final answer');
  });
});
