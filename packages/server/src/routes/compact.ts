/** `POST /api/sessions/{id}/compact`: makes the context smaller now, and says what came of it. */
import { toWire } from '@astroresearch/core';
import { z } from '@hono/zod-openapi';
import { HttpError, unknownSession } from '../http-error.ts';
import { answer, defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { SessionParams } from '../schemas.ts';

const Compaction = z
  .looseObject({
    trigger: z.string(),
    outcome: z.enum(['fits', 'compacted', 'projected', 'cannot_fit', 'nothing_to_do']),
    tokens_before: z.number(),
    tokens_after: z.number(),
    success: z.boolean(),
  })
  .openapi('Compaction');

export function compactRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const compact = defineRoute(
    {
      method: 'post',
      path: '/api/sessions/{session_id}/compact',
      summary: 'Compact the context now. `nothing_to_do` where there is too little to gain.',
      security: SECURED,
      request: { params: SessionParams },
      responses: { 200: answer('What came of it.', Compaction), ...refusals(400, 404, 409) },
    },
    async (context) => {
      const { session_id: sessionId } = context.req.valid('param');
      const outcome = await agent.compact(sessionId);
      if (outcome === null) throw unknownSession(sessionId);
      switch (outcome.kind) {
        case 'compaction':
          return context.json(
            toWire(sessionId, outcome.event).data as unknown as z.infer<typeof Compaction>,
            200,
          );
        case 'turn-ended':
          throw new HttpError(
            'turn_running',
            'The running turn ended before it came to the compaction. Call again.',
          );
        default:
          return outcome satisfies never;
      }
    },
  );
  return [compact] as const;
}
