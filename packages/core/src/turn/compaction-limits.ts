/** The limits of a compaction in a session as it stands: settings, fixed parts, and what counting has learnt. */
import { roomTokens, triggerTokens } from '../budget/budget.ts';
import { balancedTarget, CHAR_TARGET_FACTOR, type CompactionLimits } from '../compaction/limits.ts';
import { estimateContext } from '../tokens/context-size.ts';
import type { Settings } from './settings.ts';
import type { AgentState } from './state.ts';

export function compactionLimits(agent: AgentState, settings: Settings): CompactionLimits {
  const { budget, compaction } = settings;
  const { countedTokens } = agent.contextSize;
  const scale = countedTokens === 0 ? 1 : estimateContext(agent.contextSize) / countedTokens;
  const trigger = triggerTokens(budget, compaction.windowTokens);
  const toolTokens = agent.toolTokens * scale;
  const system = agent.view.at(0);
  const fixedTokens = toolTokens + (system?.role === 'system' ? system.tokens * scale : 0);
  return {
    triggerTokens: trigger,
    targetTokens:
      compaction.policy === 'seed' ? Number.POSITIVE_INFINITY : balancedTarget(trigger, fixedTokens),
    targetChars: compaction.charLimit === null ? null : compaction.charLimit * CHAR_TARGET_FACTOR,
    hardTokens: Math.min(budget.hardTokens, compaction.windowTokens),
    windowTokens: compaction.windowTokens,
    roomTokens: roomTokens(trigger, fixedTokens),
    maxMessages: compaction.maxMessages,
    toolTokens,
    scale,
  };
}
