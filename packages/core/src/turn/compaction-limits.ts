/** The limits of a compaction in a session as it stands: settings, fixed parts, and what counting has learnt. */
import { roomTokens, triggerTokens } from '../budget/budget.ts';
import { balancedTarget, CHAR_TARGET_FACTOR, type CompactionLimits } from '../compaction/limits.ts';
import { estimateContext } from '../tokens/context-size.ts';
import type { Settings } from './settings.ts';
import type { AgentState } from './state.ts';

/** Of a window that was learnt, what a request may fill: the rest is for the answer, and for counting otherwise. */
const LEARNT_SHARE = 0.85;

/** The largest request that the model takes: as configured, or less where the model itself said so. */
export function requestLimit(agent: AgentState, { compaction }: Settings): number {
  const learnt = agent.turn.phase === 'running' ? agent.learntWindows[agent.turn.model] : undefined;
  return Math.min(
    compaction.windowTokens,
    learnt === undefined ? Infinity : Math.floor(learnt * LEARNT_SHARE),
  );
}

export function compactionLimits(agent: AgentState, settings: Settings): CompactionLimits {
  const { budget, compaction } = settings;
  const { countedTokens } = agent.contextSize;
  const scale = countedTokens === 0 ? 1 : estimateContext(agent.contextSize) / countedTokens;
  const windowTokens = requestLimit(agent, settings);
  const trigger = triggerTokens(budget, windowTokens);
  const toolTokens = agent.toolTokens * scale;
  const system = agent.view.at(0);
  const fixedTokens = toolTokens + (system?.role === 'system' ? system.tokens * scale : 0);
  return {
    triggerTokens: trigger,
    targetTokens:
      compaction.policy === 'seed' ? Number.POSITIVE_INFINITY : balancedTarget(trigger, fixedTokens),
    targetChars: compaction.charLimit === null ? null : compaction.charLimit * CHAR_TARGET_FACTOR,
    hardTokens: Math.min(budget.hardTokens, windowTokens),
    windowTokens,
    roomTokens: roomTokens(trigger, fixedTokens),
    maxMessages: compaction.maxMessages,
    toolTokens,
    scale,
  };
}
