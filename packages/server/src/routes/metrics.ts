/** `GET /metrics` (Prometheus), `/api/metrics` and `/api/sessions/{id}/metrics`: counters of this process, of a session. */
import { isoTime, metricsToWire } from '@astroresearch/core';
import { z } from '@hono/zod-openapi';
import { unknownSession } from '../http-error.ts';
import { PROMETHEUS_TYPE, prometheusText } from '../prometheus.ts';
import { answer, defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { SessionParams } from '../schemas.ts';

const Count = z.number();
const Counts = z.record(z.string(), Count);

const Metrics = z
  .object({
    turns: Counts.openapi({ description: 'Turns that ended, by status.' }),
    steps: Count,
    model_calls: Count.openapi({ description: 'Requests of turns: steps and retries.' }),
    failed_calls: Counts.openapi({ description: 'Calls without a usable reply, by kind.' }),
    retries: Counts.openapi({ description: 'By kind.' }),
    tool_calls: z.record(z.string(), Counts).openapi({ description: 'Tool, status, results.' }),
    tool_elapsed_ms: Counts,
    tokens: z.object({ prompt: Count, completion: Count, cached: Count, reasoning: Count }),
    estimated_usages: Count.openapi({ description: 'Replies whose usage was missing or not believed.' }),
    cost_usd: z.number().optional().openapi({
      description: 'US dollars of the calls whose prices are known; absent where there is none.',
    }),
    unpriced_calls: Count.openapi({ description: 'Calls whose prices are not known.' }),
    nudges: Counts.openapi({ description: 'By level.' }),
    duplicate_detections: Count.openapi({ description: 'Calls that the loop guard did not let run.' }),
    compactions: z.record(z.string(), Counts).openapi({ description: 'Trigger, outcome, compactions.' }),
    layers: z.record(z.string(), z.object({ runs: Count, edits: Count, tokens_saved: Count })),
    tokens_saved: Count,
    summaries: z.object({ asked: Count, failed: Count }),
    breaker_after: Counts.openapi({ description: 'Compactions by the state of the breaker after them.' }),
    violations: Count.openapi({
      description: 'Requests refused because calls and results did not pair: faults of the engine.',
    }),
  })
  .openapi('Metrics');

const SessionMetrics = Metrics.extend({ breaker: z.enum(['closed', 'open', 'half_open']) }).openapi(
  'SessionMetrics',
);
const ProcessMetrics = Metrics.extend({
  since: z.iso.datetime().openapi({ description: 'When this process began to count.' }),
}).openapi('ProcessMetrics');

export function metricsRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const prometheus = defineRoute(
    {
      method: 'get',
      path: '/metrics',
      summary: 'The counters of `/api/metrics` for Prometheus.',
      security: SECURED,
      responses: {
        200: { description: 'Text, version 0.0.4.', content: { 'text/plain': { schema: z.string() } } },
        ...refusals(),
      },
    },
    (context) => {
      const tools = new Set(agent.tools().map(({ name }) => name));
      return context.text(prometheusText(agent.readAllMetrics(), tools), 200, {
        'content-type': PROMETHEUS_TYPE,
      });
    },
  );

  const all = defineRoute(
    {
      method: 'get',
      path: '/api/metrics',
      summary: 'Counters over all sessions, of what this process has done since it started.',
      security: SECURED,
      responses: { 200: answer('The counters.', ProcessMetrics), ...refusals() },
    },
    (context) => {
      const metrics = agent.readAllMetrics();
      return context.json({ ...metricsToWire(metrics), since: isoTime(metrics.sinceMs) }, 200);
    },
  );

  const ofSession = defineRoute(
    {
      method: 'get',
      path: '/api/sessions/{session_id}/metrics',
      summary: 'Counters over the whole life of a session.',
      security: SECURED,
      request: { params: SessionParams },
      responses: { 200: answer('The counters.', SessionMetrics), ...refusals(400, 404) },
    },
    async (context) => {
      const { session_id: sessionId } = context.req.valid('param');
      const metrics = await agent.readMetrics(sessionId);
      if (metrics === null) throw unknownSession(sessionId);
      return context.json({ ...metricsToWire(metrics), breaker: metrics.breaker }, 200);
    },
  );
  return [prometheus, all, ofSession] as const;
}
