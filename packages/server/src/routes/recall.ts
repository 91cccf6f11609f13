/** `GET /api/sessions/{id}/recall`: originals of what was compacted or cut, by ref or by words (context.md 1). */

import type { RecalledItem, RecallRefusal } from '@astroresearch/runtime';
import { refusalText } from '@astroresearch/runtime';
import { z } from '@hono/zod-openapi';
import { HttpError, unknownSession } from '../http-error.ts';
import { answer, defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { ErrorBody, listOf, SessionParams } from '../schemas.ts';

/** Text of one answer, characters. */
const PAGE_CHARS = 20_000;
const MAX_QUERY_CHARS = 500;

const Offset = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'must be a whole number' })
  .transform(Number)
  .optional();

const Recalled = z
  .object({
    ref: z.string(),
    role: z.string(),
    name: z.string().optional().openapi({ description: 'The tool of a result.' }),
    kind: z.string().optional().openapi({ description: 'Set when the engine wrote the message.' }),
    text: z.string(),
    offset: z.int().openapi({ description: 'Where in the original the text begins, characters.' }),
    next_offset: z.int().optional().openapi({ description: 'Where it goes on; left out at the end.' }),
    total_chars: z.int(),
    fault: z.enum(['damaged', 'missing']).optional().openapi({
      description: 'The whole output cannot be read; the text is the stored one, which is cut.',
    }),
  })
  .openapi('Recalled');

const RecallPage = listOf(Recalled)
  .omit({ next_cursor: true })
  .extend({
    next: z
      .object({ ref: z.string().optional(), offset: z.int() })
      .optional()
      .openapi({ description: 'What to ask for next; left out at the end.' }),
    total: z.int().optional().openapi({ description: 'Of a query: how many messages hold something of it.' }),
    unsearched_outputs: z.int().optional().openapi({ description: 'Long outputs too old to be searched.' }),
  })
  .openapi('RecallPage');

export function recallRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const recall = defineRoute(
    {
      method: 'get',
      path: '/api/sessions/{session_id}/recall',
      summary:
        'Originals of stored messages: by ref in pages, or excerpts of what a query finds, best first.',
      security: SECURED,
      request: {
        params: SessionParams,
        query: z.object({
          ref: z.string().max(100).optional().openapi({ description: '`m42` or `m4-m31`.' }),
          q: z
            .string()
            .max(MAX_QUERY_CHARS)
            .optional()
            .openapi({ description: 'Words. With `ref`: searches inside it.' }),
          offset: Offset.openapi({
            type: 'integer',
            minimum: 0,
            default: 0,
            description: 'Characters of the ref, or hits of the query, to pass over.',
          }),
          agent_name: z.string().min(1).max(100).optional().openapi({
            default: '*',
            description: 'A ref names one message of the session, whoever wrote it: by default all agents.',
          }),
        }),
      },
      responses: {
        200: answer('Originals.', RecallPage),
        ...refusals(400),
        404: answer('There is no such session, or no such ref in it.', ErrorBody),
      },
    },
    async (context) => {
      const { session_id: sessionId } = context.req.valid('param');
      const { ref, q, offset = 0, agent_name: agentName = '*' } = context.req.valid('query');
      const outcome = await agent.recall(sessionId, {
        agentName,
        ...(ref === undefined ? {} : { ref }),
        ...(q === undefined ? {} : { query: q }),
        offset,
        limitChars: PAGE_CHARS,
        itemChars: 0,
      });
      if (outcome === null) throw unknownSession(sessionId);
      switch (outcome.kind) {
        case 'refused':
          throw refusalError(outcome);
        case 'found': {
          const next = outcome.next === null ? {} : { next: outcome.next };
          return context.json({ items: outcome.items.map(toWire), ...next }, 200);
        }
        case 'hits': {
          const { total, next, unsearchedOutputs } = outcome;
          const page = { items: outcome.items.map(toWire), total };
          return context.json(
            {
              ...page,
              ...(next === null ? {} : { next: { offset: next } }),
              ...(unsearchedOutputs === 0 ? {} : { unsearched_outputs: unsearchedOutputs }),
            },
            200,
          );
        }
        default:
          return outcome satisfies never;
      }
    },
  );
  return [recall] as const;
}

function toWire({ nextOffset, totalChars, ...item }: RecalledItem): z.infer<typeof Recalled> {
  return {
    ...item,
    ...(nextOffset === null ? {} : { next_offset: nextOffset }),
    total_chars: totalChars,
  };
}

function refusalError(refusal: RecallRefusal): HttpError {
  const message = refusalText(refusal, 'en');
  if (refusal.reason !== 'unknown-ref') return new HttpError('bad_request', message);
  const { ref, nearest } = refusal;
  return new HttpError('not_found', message, { details: { ref, nearest } });
}
