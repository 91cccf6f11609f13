/** The one place where metrics take their names in JSON (api.md, HTTP: metrics). */
import type { LayerSums, Metrics } from './metrics.ts';

type Counts = Readonly<Record<string, number>>;
type LayerCounts = { readonly runs: number; readonly edits: number; readonly tokens_saved: number };

export type WireMetrics = {
  readonly turns: Counts;
  readonly steps: number;
  readonly model_calls: number;
  readonly failed_calls: Counts;
  readonly retries: Counts;
  readonly tool_calls: Readonly<Record<string, Counts>>;
  readonly tool_elapsed_ms: Counts;
  readonly tokens: Metrics['tokens'];
  readonly estimated_usages: number;
  /** Of the calls whose prices are known; left out where there is none. */
  readonly cost_usd?: number;
  readonly unpriced_calls: number;
  readonly nudges: Counts;
  readonly duplicate_detections: number;
  readonly compactions: Readonly<Record<string, Counts>>;
  readonly layers: Readonly<Record<string, LayerCounts>>;
  readonly tokens_saved: number;
  readonly summaries: Metrics['summaries'];
  readonly breaker_after: Counts;
  readonly violations: number;
};

/** Keys inside of the groups are data: statuses, kinds, names of tools. */
export function metricsToWire(metrics: Metrics): WireMetrics {
  const { bill, compactions, layers, summaries } = metrics;
  return {
    turns: metrics.turns,
    steps: metrics.steps,
    model_calls: metrics.modelCalls,
    failed_calls: metrics.failedCalls,
    retries: metrics.retries,
    tool_calls: metrics.toolCalls,
    tool_elapsed_ms: metrics.toolElapsedMs,
    tokens: metrics.tokens,
    estimated_usages: metrics.estimatedUsages,
    ...(bill.pricedCalls === 0 ? {} : { cost_usd: bill.usd }),
    unpriced_calls: bill.unpricedCalls,
    nudges: metrics.nudges,
    duplicate_detections: duplicateDetections(metrics),
    compactions,
    layers: Object.fromEntries(Object.entries(layers).map(([layer, sums]) => [layer, layerToWire(sums)])),
    tokens_saved: metrics.tokensSaved,
    summaries,
    breaker_after: metrics.breakerAfter,
    violations: metrics.violations,
  };
}

/** Calls that the loop guard did not let run (context.md 4). */
export function duplicateDetections({ nudges }: Metrics): number {
  return nudges.duplicate ?? 0;
}

function layerToWire({ runs, edits, tokensSaved }: LayerSums): LayerCounts {
  return { runs, edits, tokens_saved: tokensSaved };
}
