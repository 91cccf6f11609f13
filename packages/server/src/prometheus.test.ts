/** The Prometheus text: every line in its grammar, every set of labels once, few labels whatever a model writes. */
import { EMPTY_METRICS } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { prometheusText } from './prometheus.ts';

const TOOLS = new Set(['read_file', 'search_papers']);
const NOTHING = { ...EMPTY_METRICS, sinceMs: 1_500 };
const SAMPLE =
  /^astroresearch_[a-z_]+(?:\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\})? -?\d/;

const busy = {
  ...NOTHING,
  turns: { completed: 2, failed: 1 },
  toolCalls: {
    read_file: { ok: 3, error: 1 },
    'made"up\n': { error: 2 },
    another_one: { error: 5 },
  },
  toolElapsedMs: { read_file: 1_250, 'made"up\n': 250, another_one: 500 },
  tokens: { prompt: 900, completion: 80, cached: 400, reasoning: 7 },
  nudges: { duplicate: 4, todo: 1 },
  compactions: { auto: { compacted: 1, projected: 1 }, manual: { nothing_to_do: 1 } },
  layers: { micro: { runs: 2, edits: 9, tokensSaved: 3_000 } },
};

describe('prometheusText', () => {
  it('gives each family its help and type once, and each set of labels once', () => {
    const lines = prometheusText(busy, TOOLS).trimEnd().split('\n');
    const families = lines.flatMap((line) => (line.startsWith('# TYPE ') ? [line.split(' ')[2]] : []));
    expect(new Set(families).size).toBe(families.length);
    const samples = lines.filter((line) => !line.startsWith('#'));
    for (const sample of samples) expect(sample).toMatch(SAMPLE);
    const names = samples.map((line) => line.slice(0, line.lastIndexOf(' ')));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(families).toContain(name.split('{')[0]);
  });

  it('adds up what no tool is called, so that a model cannot make labels', () => {
    const text = prometheusText(busy, TOOLS);
    expect(text).toContain('astroresearch_tool_calls_total{tool="other",status="error"} 7\n');
    expect(text).toContain('astroresearch_tool_calls_total{tool="read_file",status="ok"} 3\n');
    expect(text).toContain('astroresearch_tool_seconds_total{tool="other"} 0.75\n');
    expect(text).not.toContain('made');
  });

  it('counts by level, trigger, layer and kind', () => {
    const text = prometheusText(busy, TOOLS);
    expect(text).toContain('astroresearch_duplicate_detections_total 4\n');
    expect(text).toContain('astroresearch_compactions_total{trigger="auto",outcome="projected"} 1\n');
    expect(text).toContain('astroresearch_layer_tokens_saved_total{layer="micro"} 3000\n');
    expect(text).toContain('astroresearch_tokens_total{kind="cached"} 400\n');
    expect(text).toContain('astroresearch_counting_since_seconds 1.5\n');
  });

  it('shows dollars only where a price is known', () => {
    const name = /^astroresearch_cost_usd_total .*$/m;
    expect(prometheusText(NOTHING, TOOLS)).not.toMatch(name);
    const bill = { usd: 0.25, pricedCalls: 2, unpricedCalls: 1 };
    const text = prometheusText({ ...NOTHING, bill }, TOOLS);
    expect(text.match(name)?.[0]).toBe('astroresearch_cost_usd_total 0.25');
    expect(text).toContain('astroresearch_unpriced_calls_total 1\n');
  });

  it('of a process that has done nothing shows its plain counters at nought', () => {
    const text = prometheusText(NOTHING, TOOLS);
    for (const name of ['steps', 'model_calls', 'violations', 'tokens_saved'])
      expect(text).toContain(`astroresearch_${name}_total 0\n`);
  });

  it('keeps a quote, a backslash and a line end inside of a label', () => {
    const metrics = { ...NOTHING, toolCalls: { 'a"b\\c\nd': { ok: 1 } } };
    const text = prometheusText(metrics, new Set(['a"b\\c\nd']));
    expect(text).toContain('{tool="a\\"b\\\\c\\nd",status="ok"} 1\n');
  });
});
