/** `GET /api/sessions/{id}/trajectory?turn=N`: one turn as a file that `astroresearch replay` reads (runtime.md, Trajectory). */
import { z } from '@hono/zod-openapi';
import { HttpError, unknownSession } from '../http-error.ts';
import { answer, defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { ErrorBody, SessionParams } from '../schemas.ts';

const TurnNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, { error: 'must be a whole number from 1' })
  .transform(Number)
  .optional()
  .openapi({ description: 'Which turn, from 1; left out: the newest.' });

const Trajectory = z
  .object({
    format: z.literal('astroresearch-trajectory'),
    version: z.literal(1),
    session_id: z.string(),
    turn: z.int(),
    messages: z.array(z.record(z.string(), z.unknown())),
    edits: z.array(z.record(z.string(), z.unknown())),
    requests: z.array(
      z.object({ request: z.int(), step: z.int(), messages: z.int(), tokens: z.number(), hash: z.string() }),
    ),
    events: z.array(z.record(z.string(), z.unknown())),
  })
  .openapi('Trajectory');

export function trajectoryRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const read = defineRoute(
    {
      method: 'get',
      path: '/api/sessions/{session_id}/trajectory',
      summary: 'One turn with its messages, edits, requests and events: it can be replayed without a model.',
      security: SECURED,
      request: { params: SessionParams, query: z.object({ turn: TurnNumber }) },
      responses: {
        200: answer('The turn.', Trajectory),
        ...refusals(400),
        404: answer('There is no such session, or it has had no such turn.', ErrorBody),
      },
    },
    async (context) => {
      const { session_id: sessionId } = context.req.valid('param');
      const { turn = null } = context.req.valid('query');
      const found = await agent.readTrajectory(sessionId, turn);
      if (found === null) throw unknownSession(sessionId);
      if (found === 'no-turn')
        throw new HttpError(
          'not_found',
          'This session has had no such turn. Leave "turn" out for the newest.',
        );
      const plain = (items: readonly object[]) => items.map((item) => ({ ...item }));
      const { messages, edits, requests, events, ...head } = found;
      return context.json(
        {
          ...head,
          session_id: sessionId,
          messages: plain(messages),
          edits: plain(edits),
          requests: [...requests],
          events: plain(events),
        },
        200,
      );
    },
  );
  return [read] as const;
}
