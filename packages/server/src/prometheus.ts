/** Metrics → the Prometheus text format, version 0.0.4 (api.md, HTTP: /metrics). */
import { duplicateDetections } from '@astroresearch/core';
import type { ProcessMetrics } from '@astroresearch/runtime';

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;
type Sample = { readonly labels: Labels; readonly value: number };
type Family = {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly Sample[];
};

/** `tools`: names that may be labels; a name that the model made up counts as `other`, so that labels stay few. */
export function prometheusText(metrics: ProcessMetrics, tools: ReadonlySet<string>): string {
  return familiesOf(metrics, tools).map(familyText).join('');
}

function familiesOf(metrics: ProcessMetrics, tools: ReadonlySet<string>): readonly Family[] {
  const toolName = (name: string) => (tools.has(name) ? name : 'other');
  const { layers, summaries, tokens } = metrics;
  const layerSamples = (value: (sums: { runs: number; edits: number; tokensSaved: number }) => number) =>
    Object.entries(layers).map(([layer, sums]) => ({ labels: { layer }, value: value(sums) }));
  return [
    counter('turns', 'Turns that ended, by how.', by('status', metrics.turns)),
    counter('steps', 'Steps of turns.', one(metrics.steps)),
    counter('model_calls', 'Requests of turns to the model, retries included.', one(metrics.modelCalls)),
    counter('failed_calls', 'Model calls without a usable reply.', by('kind', metrics.failedCalls)),
    counter('retries', 'Model calls that were tried again.', by('kind', metrics.retries)),
    counter('tool_calls', 'Results of tool calls.', byTwo('tool', 'status', metrics.toolCalls, toolName)),
    counter(
      'tool_seconds',
      'Time that tools took.',
      by('tool', metrics.toolElapsedMs, toolName).map(({ labels, value }) => ({
        labels,
        value: value / 1_000,
      })),
    ),
    counter('tokens', 'Tokens; cached are part of prompt, reasoning of completion.', by('kind', tokens)),
    counter(
      'estimated_usages',
      'Replies whose usage was missing or not believed.',
      one(metrics.estimatedUsages),
    ),
    counter(
      'cost_usd',
      'US dollars of the calls whose prices are known.',
      metrics.bill.pricedCalls === 0 ? [] : one(metrics.bill.usd),
    ),
    counter('unpriced_calls', 'Calls whose prices are not known.', one(metrics.bill.unpricedCalls)),
    counter('nudges', 'Reminders to the model.', by('level', metrics.nudges)),
    counter(
      'duplicate_detections',
      'Calls that the loop guard did not let run.',
      one(duplicateDetections(metrics)),
    ),
    counter('compactions', 'Compactions.', byTwo('trigger', 'outcome', metrics.compactions)),
    counter(
      'layer_runs',
      'Runs of compaction layers.',
      layerSamples(({ runs }) => runs),
    ),
    counter(
      'layer_edits',
      'Edits of compaction layers.',
      layerSamples(({ edits }) => edits),
    ),
    counter(
      'layer_tokens_saved',
      'Tokens saved by compaction layers.',
      layerSamples(({ tokensSaved }) => tokensSaved),
    ),
    counter('tokens_saved', 'Tokens saved by compactions.', one(metrics.tokensSaved)),
    counter('summaries_asked', 'Compactions that asked a model for a summary.', one(summaries.asked)),
    counter('summaries_failed', 'Compactions whose summary was not used.', one(summaries.failed)),
    counter(
      'compactions_by_breaker_state',
      'Compactions, by the state of the breaker after them.',
      by('state', metrics.breakerAfter),
    ),
    counter(
      'violations',
      'Requests refused because calls and results did not pair.',
      one(metrics.violations),
    ),
    {
      name: 'astroresearch_counting_since_seconds',
      type: 'gauge',
      help: 'Unix time at which this process began to count.',
      samples: one(metrics.sinceMs / 1_000),
    },
  ];
}

function counter(name: string, help: string, samples: readonly Sample[]): Family {
  return { name: `astroresearch_${name}_total`, type: 'counter', help, samples };
}

function one(value: number): readonly Sample[] {
  return [{ labels: {}, value }];
}

function by(
  label: string,
  counts: Readonly<Record<string, number>>,
  nameOf: (key: string) => string = (key) => key,
): readonly Sample[] {
  return joined(Object.entries(counts).map(([key, value]) => ({ labels: { [label]: nameOf(key) }, value })));
}

function byTwo(
  outer: string,
  inner: string,
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>,
  nameOf: (key: string) => string = (key) => key,
): readonly Sample[] {
  return joined(
    Object.entries(counts).flatMap(([key, group]) =>
      by(inner, group).map(({ labels, value }) => ({ labels: { [outer]: nameOf(key), ...labels }, value })),
    ),
  );
}

/** A set of labels may stand once only: what got the same name is added up. */
function joined(samples: readonly Sample[]): readonly Sample[] {
  const sums = new Map<string, Sample>();
  for (const { labels, value } of samples) {
    const key = labelText(labels);
    sums.set(key, { labels, value: (sums.get(key)?.value ?? 0) + value });
  }
  return [...sums.values()];
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`);
  return `${[`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines].join('\n')}\n`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
