/** Sets the newest results of tools aside behind a placeholder, after a filter refused what stands in them (recovery.md). */
import {
  type AgentState,
  type ContextEdit,
  countMessage,
  estimateContext,
  type Language,
  type NewEvent,
  type RunningTurn,
} from '@astroresearch/core';
import { stampOf } from './stamp.ts';
import type { TurnParts } from './turn-parts.ts';

export function quarantine(agent: AgentState, turn: RunningTurn, parts: TurnParts): readonly NewEvent[] {
  const edits: ContextEdit[] = [];
  const view = agent.view.toArray();
  const firstResult = view.findLastIndex(({ role }) => role !== 'tool') + 1;
  for (const message of view.slice(firstResult)) {
    if (message.role !== 'tool') continue;
    const [part] = message.parts;
    const shown = [{ ...part, text: setAsideText(message.id, turn.language) }] as const;
    const tokens = countMessage(shown, parts.countTokens);
    edits.push({
      kind: 'rewrite',
      layer: 'project',
      message: message.id,
      parts: shown,
      tokens,
      reason: 'quarantine',
    });
  }
  const size = Math.round(estimateContext(agent.contextSize));
  return [
    {
      ...stampOf(turn, parts),
      type: 'compaction',
      trigger: 'recovery',
      outcome: 'projected',
      layers: [],
      messagesBefore: view.length,
      messagesAfter: view.length,
      tokensBefore: size,
      tokensAfter: size,
      success: true,
      breaker: agent.breaker.state,
      breakerEvents: [],
      request: agent.requests + 1,
      edits,
    },
  ];
}

function setAsideText(ref: string, language: Language): string {
  return {
    zh: `[已隔离：服务商的内容过滤器拒绝了包含此结果的请求；请换一种方式继续。原文编号 ${ref}]`,
    en: `[Set aside: the provider's content filter refused a request with this result; go on in another way. Original: ${ref}]`,
  }[language];
}
