/** What the model is told about its budget, in both languages; the frame around it is the prompt's (context.md 4). */
import type { Language } from '../message/language.ts';
import type { NudgeLevel } from './nudge.ts';

/** `limitTokens`: the soft limit for `near_soft` and `over_soft`, the hard one for `over_hard`. */
export function nudgeText(
  level: NudgeLevel,
  spentTokens: number,
  limitTokens: number,
  language: Language,
): string {
  return {
    near_soft: {
      zh: `💡 Token 预算提示：本轮已用 ${spentTokens}，软限制为 ${limitTokens}。请注意控制后续步骤的深度，只做必要的调用。`,
      en: `💡 Token budget hint: this turn has used ${spentTokens} of a soft limit of ${limitTokens}. Keep further steps shallow and make only the calls you need.`,
    },
    over_soft: {
      zh: `🟡 Token 预算警告：本轮已用 ${spentTokens}，超过软限制 ${limitTokens}。请尽快总结关键发现。`,
      en: `🟡 Token budget warning: this turn has used ${spentTokens}, more than its soft limit of ${limitTokens}. Summarise the key findings soon.`,
    },
    over_hard: {
      zh: `🔴 Token 预算已耗尽：本轮已用 ${spentTokens}，硬限制为 ${limitTokens}。请立即总结并给出最终答案；不能再调用工具。`,
      en: `🔴 Token budget exhausted: this turn has used ${spentTokens} of a hard limit of ${limitTokens}. Summarise and give the final answer now; no more tools can be used.`,
    },
  }[level][language];
}

/** The last steps brought nothing new; the call that follows cannot use tools. */
export function diminishingText(language: Language): string {
  return {
    zh: '最近几步没有带来新的内容。请根据已有结果直接给出最终答案，并说明还有什么没有查明；不能再调用工具。',
    en: 'The last steps brought nothing new. Give the final answer now from what is known, and say what is still open; no more tools can be used.',
  }[language];
}
