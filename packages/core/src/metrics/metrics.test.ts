import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactedSession, generatedSession, writeSession } from '../testing/arbitrary.ts';
import { NO_USAGE } from '../tokens/usage.ts';
import type { EventBody, TurnEvent } from '../turn/event.ts';
import { EMPTY_METRICS, foldMetrics, type Metrics, sumMetrics } from './metrics.ts';
import { metricsToWire } from './metrics-to-wire.ts';

const session = fc.oneof(generatedSession, compactedSession);

const metricsOf = (events: readonly TurnEvent[]): Metrics => events.reduce(foldMetrics, EMPTY_METRICS);

function metricsOfBodies(...bodies: readonly EventBody[]): Metrics {
  return metricsOf(
    bodies.map((body, index) => ({
      ...body,
      seq: index + 1,
      turnId: 't',
      agentName: 'lead',
      step: 1,
      atMs: 0,
    })),
  );
}

function toolResult(name: string, status: 'ok' | 'error', elapsedMs: number): EventBody {
  const part = { type: 'tool-result', toolCallId: 'c', name, status, text: '' } as const;
  const place = { agentName: 'lead', turnIndex: 1, step: 1, tokens: 5, createdAtMs: 0 };
  const message = { ...place, id: 'm9', role: 'tool', parts: [part] } as const;
  return { type: 'tool-result', toolCallId: 'c', name, status, elapsedMs, truncated: false, message };
}

describe('metrics of generated sessions', () => {
  it('are the sum of the metrics of their parts, in any order', () => {
    fc.assert(
      fc.property(session, fc.array(fc.nat({ max: 300 }), { maxLength: 4 }), ({ log }, cuts) => {
        const ends = [...new Set([...cuts.map((cut) => cut % log.length), 0, log.length])].sort(
          (a, b) => a - b,
        );
        const parts = ends.slice(1).map((end, index) => metricsOf(log.slice(ends[index], end)));
        expect(sumMetrics(parts)).toEqual(metricsOf(log));
        expect(sumMetrics(parts.toReversed())).toEqual(metricsOf(log));
      }),
    );
  });

  it('count what the log holds', () => {
    fc.assert(
      fc.property(session, ({ log, state }) => {
        const metrics = metricsOf(log);
        const count = (type: TurnEvent['type']) => log.filter((event) => event.type === type).length;
        expect(metrics.modelCalls).toBe(state.agents.lead?.requests);
        expect(metrics.steps).toBe(count('step'));
        expect(total(metrics.turns)).toBe(count('done'));
        expect(total(metrics.retries)).toBe(count('retry'));
        expect(total(metrics.failedCalls)).toBe(count('attempt-failed'));
        expect(total(metrics.nudges)).toBe(count('nudge'));
        expect(total(metrics.breakerAfter)).toBe(count('compaction'));
        expect(sum(Object.values(metrics.compactions).map(total))).toBe(count('compaction'));
        expect(sum(Object.values(metrics.toolCalls).map(total))).toBe(count('tool-result'));
      }),
    );
  });

  it('never go down', () => {
    fc.assert(
      fc.property(compactedSession, ({ log }) => {
        let before = 0;
        let metrics = EMPTY_METRICS;
        for (const event of log) {
          metrics = foldMetrics(metrics, event);
          const now =
            metrics.tokensSaved + sum(Object.values(metrics.layers).map((layer) => layer.tokensSaved));
          expect(now).toBeGreaterThanOrEqual(before);
          before = now;
        }
      }),
    );
  });
});

describe('metrics', () => {
  it('count tools by name and status, whatever a model calls them', () => {
    const names = ['read_file', '__proto__', 'constructor', 'toString'];
    const metrics = metricsOfBodies(
      ...names.flatMap((name) => [
        toolResult(name, 'ok', 2),
        toolResult(name, 'ok', 3),
        toolResult(name, 'error', 0),
      ]),
    );
    expect(Object.entries(metrics.toolCalls)).toEqual(names.map((name) => [name, { ok: 2, error: 1 }]));
    expect(Object.entries(metrics.toolElapsedMs)).toEqual(names.map((name) => [name, 5]));
    expect(JSON.parse(JSON.stringify(metricsToWire(metrics))).tool_calls.constructor).toEqual({
      ok: 2,
      error: 1,
    });
  });

  it('count usage, and the replies of which it was not believed', () => {
    const usage = {
      promptTokens: 100,
      completionTokens: 20,
      cachedTokens: 80,
      reasoningTokens: 5,
      estimated: false,
    };
    const place = { agentName: 'lead', turnIndex: 1, step: 1, tokens: 5, createdAtMs: 0 };
    const reply = { ...place, id: 'm3', role: 'assistant', parts: [], ending: 'stop' } as const;
    const metrics = metricsOfBodies(
      { type: 'message', message: reply, usage },
      { type: 'message', message: reply, usage: { ...usage, estimated: true } },
      { type: 'message', message: reply },
    );
    expect(metrics.tokens).toEqual({ prompt: 200, completion: 40, cached: 160, reasoning: 10 });
    expect(metrics.estimatedUsages).toBe(1);
  });

  it('count dollars where prices are known, and calls where they are not; nothing is shown as 0', () => {
    const failure = { kind: 'empty_reply', message: '' } as const;
    const usage = { ...NO_USAGE, promptTokens: 10 };
    const unknown = metricsOfBodies({ type: 'attempt-failed', failure, usage });
    expect(metricsToWire(unknown)).toMatchObject({ unpriced_calls: 1 });
    expect(metricsToWire(unknown)).not.toHaveProperty('cost_usd');
    const priced = { type: 'attempt-failed', failure, usage, costUsd: 0.25 } as const;
    const both = sumMetrics([unknown, metricsOfBodies(priced, priced)]);
    expect(metricsToWire(both)).toMatchObject({ cost_usd: 0.5, unpriced_calls: 1, tokens: { prompt: 30 } });
  });

  it('count what the loop guard stopped', () => {
    const none = metricsOfBodies({ type: 'nudge', level: 'todo', spentTokens: 1 });
    expect(metricsToWire(none)).toMatchObject({ duplicate_detections: 0, nudges: { todo: 1 } });
    const duplicate = { type: 'nudge', level: 'duplicate', spentTokens: 1 } as const;
    expect(metricsToWire(metricsOfBodies(duplicate, duplicate)).duplicate_detections).toBe(2);
  });

  it('count a history that a provider refused as a violation', () => {
    const failed = (kind: 'tool_pairing' | 'network') =>
      ({ type: 'attempt-failed', failure: { kind, message: '' } }) as const;
    const metrics = metricsOfBodies(failed('network'), failed('tool_pairing'));
    expect(metrics.violations).toBe(1);
    expect(metrics.failedCalls).toEqual({ network: 1, tool_pairing: 1 });
  });

  it('count a compaction by trigger, outcome, layer and breaker', () => {
    const compaction = {
      type: 'compaction',
      trigger: 'auto',
      outcome: 'compacted',
      layers: [
        { layer: 'micro', edits: 4, tokensBefore: 900, tokensAfter: 500 },
        { layer: 'identity', edits: 1, tokensBefore: 500, tokensAfter: 560 },
      ],
      messagesBefore: 20,
      messagesAfter: 21,
      tokensBefore: 900,
      tokensAfter: 560,
      success: true,
      breaker: 'open',
      breakerEvents: ['attempt', 'failure'],
      request: 3,
      edits: [],
      summaryFault: 'refused',
    } as const;
    expect(metricsToWire(metricsOfBodies(compaction, { ...compaction, trigger: 'manual' }))).toMatchObject({
      compactions: { auto: { compacted: 1 }, manual: { compacted: 1 } },
      layers: {
        micro: { runs: 2, edits: 8, tokens_saved: 800 },
        identity: { runs: 2, edits: 2, tokens_saved: 0 },
      },
      tokens_saved: 680,
      summaries: { asked: 2, failed: 2 },
      breaker_after: { open: 2 },
    });
  });

  it('of nothing have every counter, at nought', () => {
    expect(writeSession([]).log.reduce(foldMetrics, EMPTY_METRICS)).toEqual(EMPTY_METRICS);
    expect(metricsToWire(EMPTY_METRICS)).toMatchObject({
      turns: {},
      steps: 0,
      duplicate_detections: 0,
      violations: 0,
    });
  });
});

function total(counts: Readonly<Record<string, number>>): number {
  return sum(Object.values(counts));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
