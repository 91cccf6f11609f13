/** `GET /api/sessions/{id}/context?request=N`: what a past request carried, or the next one will, block by block. */
import { contextToWire } from '@astroresearch/core';
import { z } from '@hono/zod-openapi';
import { HttpError, unknownSession } from '../http-error.ts';
import { answer, defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { ErrorBody, SessionParams } from '../schemas.ts';

const RequestNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, { error: 'must be the number of a request, from 1' })
  .transform(Number)
  .optional()
  .openapi({ type: 'integer', minimum: 1, description: 'From 1. Left out: the next one.' });

const Tokens = z.int().openapi({ description: 'Calibrated.' });

const ContextBlock = z
  .object({
    role: z.enum(['tools', 'system', 'user', 'assistant', 'tool']),
    kind: z.string().openapi({
      description:
        '`tools`, `system`, `user`, `assistant`, `tool_result`, `masked_result`, or what the engine wrote the message for (`summary`, `placeholder`, `nudge` …).',
    }),
    ref: z
      .string()
      .nullable()
      .openapi({ description: 'Where recall finds the originals; null for the tools.' }),
    tokens: Tokens,
    cached: z.boolean().openapi({ description: 'Part of the prefix shared with the request before.' }),
    created_at: z.iso.datetime().optional(),
    replaced_by: z
      .object({
        layer: z.enum(['snip', 'micro', 'auto', 'aggressive_micro', 'identity', 'project']),
        at_request: z.int(),
        trigger: z.enum(['auto', 'manual', 'recovery']),
        reason: z.enum(['mask', 'arguments', 'head-and-tail', 'quarantine', 'summary', 'placeholder']),
        tokens_saved: z.int(),
      })
      .optional()
      .openapi({ description: 'The layer that put this in the place of the originals.' }),
  })
  .openapi('ContextBlock');

const Context = z
  .object({
    request: z.int(),
    is_next: z.boolean().openapi({ description: 'Not made yet: as things stand now.' }),
    blocks: z.array(ContextBlock),
    totals: z.object({
      system: z.int(),
      tools: z.int(),
      memory: z.int(),
      history: z.int(),
      tool_results: z.int(),
      summary: z.int(),
      restored_files: z.int(),
      reminders: z.int(),
    }),
    tokens: Tokens,
    cached_prefix_tokens: z.int(),
    limits: z.object({ soft: z.int(), hard: z.int(), trigger: z.int(), window: z.int() }),
    breaker: z.enum(['closed', 'open', 'half_open']),
  })
  .openapi('Context');

export function contextRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const read = defineRoute(
    {
      method: 'get',
      path: '/api/sessions/{session_id}/context',
      summary: "What the lead's request of this number carries, block by block.",
      security: SECURED,
      request: { params: SessionParams, query: z.object({ request: RequestNumber }) },
      responses: {
        200: answer('The request.', Context),
        ...refusals(400),
        404: answer('There is no such session, or it has not made so many requests.', ErrorBody),
      },
    },
    async (context) => {
      const { session_id: sessionId } = context.req.valid('param');
      const { request = null } = context.req.valid('query');
      const outcome = await agent.readContext(sessionId, request);
      if (outcome === null) throw unknownSession(sessionId);
      switch (outcome.kind) {
        case 'found':
          return context.json(contextToWire(outcome.context, outcome.limits), 200);
        case 'beyond':
          throw notMade(request, outcome.requests);
        default:
          return outcome satisfies never;
      }
    },
  );
  return [read] as const;
}

function notMade(request: number | null, requests: number): HttpError {
  return new HttpError(
    'not_found',
    `Request ${request} has not been made. Ask for one from 1 to ${requests + 1}; the last of them is the next, which is also what you get without "request".`,
    { details: { requests } },
  );
}
