/** The limits of a compaction in a session as it stands: settings, fixed parts, and what counting has learnt. */
import { roomTokens, triggerTokens } from '../budget/budget.ts';
import { balancedTarget, CHAR_TARGET_FACTOR, type CompactionLimits } from '../compaction/limits.ts';
import { DEFAULT_WINDOW_TOKENS, findModel, largestRequest } from '../models/model-table.ts';
import { MIN_OUTPUT_TOKENS, OUTPUT_MARGIN } from '../recovery/ladder.ts';
import { estimateContext } from '../tokens/context-size.ts';
import type { Settings } from './settings.ts';
import type { AgentState } from './state.ts';

/** Of a window that was learnt, what a request may fill: the rest is for the answer, and for counting otherwise. */
const LEARNT_SHARE = 0.85;

/** The largest request that the model of the turn takes. */
export function requestLimit(agent: AgentState, settings: Settings): number {
  return agent.turn.phase === 'running'
    ? requestLimitOf(agent.turn.model, agent, settings)
    : settings.compaction.windowTokens;
}

/** The largest request that a model takes: as configured or by the table, or less where the model itself said so. */
export function requestLimitOf(model: string, agent: AgentState, settings: Settings): number {
  const learnt = agent.learntWindows[model];
  return Math.min(
    requestTokensOf(model, settings),
    learnt === undefined ? Infinity : Math.floor(learnt * LEARNT_SHARE),
  );
}

/** The same before anything was learnt. */
export function requestTokensOf(model: string, { compaction, models }: Settings): number {
  if (model === models.configured) return compaction.windowTokens;
  const known = findModel(models.table, model)?.windowTokens ?? null;
  if (known !== null) return largestRequest(known);
  return models.configured === null ? compaction.windowTokens : largestRequest(DEFAULT_WINDOW_TOKENS);
}

/** Most that the answer to the next request may have, by the table; null: it does not say. */
export function outputLimit(agent: AgentState, settings: Settings, requestTokens: number): number | null {
  if (agent.turn.phase === 'resting') return null;
  const known = findModel(settings.models.table, agent.turn.model);
  if (known === null || known.maxOutputTokens === null) return null;
  if (known.windowTokens === null) return known.maxOutputTokens;
  const left = Math.floor((known.windowTokens - requestTokens) * OUTPUT_MARGIN);
  return Math.max(MIN_OUTPUT_TOKENS, Math.min(known.maxOutputTokens, left));
}

/** The same agent, were another model to answer for the rest of the turn. */
export function withModel(agent: AgentState, model: string): AgentState {
  return agent.turn.phase === 'resting' ? agent : { ...agent, turn: { ...agent.turn, model } };
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
