/** The one place where the context X-ray takes its names in JSON (api.md, HTTP: context). */
import { triggerTokens } from '../budget/budget.ts';
import type { Settings } from '../turn/settings.ts';
import { isoTime } from '../turn/wire.ts';
import type { ContextBlock, RequestContext } from './context-blocks.ts';

/** Lines to draw beside a request, tokens. */
export type ContextLimits = {
  readonly softTokens: number;
  readonly hardTokens: number;
  /** A request above it is compacted first. */
  readonly triggerTokens: number;
  readonly windowTokens: number;
};

export function contextLimits({ budget, compaction }: Settings): ContextLimits {
  const { windowTokens } = compaction;
  return { ...budget, triggerTokens: triggerTokens(budget, windowTokens), windowTokens };
}

export function contextToWire(context: RequestContext, limits: ContextLimits) {
  const { totals } = context;
  return {
    request: context.request,
    is_next: context.isNext,
    blocks: context.blocks.map(blockToWire),
    totals: {
      system: totals.system,
      tools: totals.tools,
      memory: totals.memory,
      history: totals.history,
      tool_results: totals.toolResults,
      summary: totals.summary,
      restored_files: totals.restoredFiles,
      reminders: totals.reminders,
    },
    tokens: context.tokens,
    cached_prefix_tokens: context.cachedPrefixTokens,
    limits: {
      soft: limits.softTokens,
      hard: limits.hardTokens,
      trigger: limits.triggerTokens,
      window: limits.windowTokens,
    },
    breaker: context.breaker,
  };
}

function blockToWire({ role, kind, ref, tokens, cached, createdAtMs, replacedBy }: ContextBlock) {
  return {
    role,
    kind,
    ref,
    tokens,
    cached,
    ...(createdAtMs === null ? {} : { created_at: isoTime(createdAtMs) }),
    ...(replacedBy === null
      ? {}
      : {
          replaced_by: {
            layer: replacedBy.layer,
            at_request: replacedBy.atRequest,
            trigger: replacedBy.trigger,
            reason: replacedBy.reason,
            tokens_saved: replacedBy.tokensSaved,
          },
        }),
  };
}
