/** `GET /api/sessions/{id}/events`: all events after a number, then live ones (runtime.md, Events; I27). */
import { z } from '@hono/zod-openapi';
import { disconnectOf } from '../connection.ts';
import { HttpError, unknownSession } from '../http-error.ts';
import { defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { SessionParams } from '../schemas.ts';

/** A number beyond the log's end is no error: only what happens from now on is sent. */
const Seq = z
  .string()
  .trim()
  .regex(/^\d+$/, { error: 'must be the id of an event: a whole number' })
  .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
  .optional();

export function eventRoutes({ streams }: Pick<RouteParts, 'streams'>) {
  const follow = defineRoute(
    {
      method: 'get',
      path: '/api/sessions/{session_id}/events',
      summary: 'All events after a number (default: from the first), then live ones, until the client goes.',
      security: SECURED,
      request: {
        params: SessionParams,
        query: z.object({ after: Seq.openapi({ type: 'integer', minimum: 0, default: 0 }) }),
        headers: z.object({
          'last-event-id': Seq.openapi({ type: 'integer', minimum: 0, description: 'Wins over `after`.' }),
        }),
      },
      responses: {
        200: { description: 'Events.', content: { 'text/event-stream': { schema: z.string() } } },
        ...refusals(400, 404, 429),
      },
    },
    async (context) => {
      if (context.req.method === 'HEAD') throw noHead();
      const { session_id: sessionId } = context.req.valid('param');
      // A client that reconnects repeats its address, `after` included, and knows better by now.
      const resumed = context.req.valid('header')['last-event-id'];
      const afterSeq = resumed ?? context.req.valid('query').after ?? 0;
      const disconnect = disconnectOf(context);
      const response = await streams.reserve('follow').open({ sessionId, afterSeq, turn: null, disconnect });
      if (response === null) throw unknownSession(sessionId);
      return response;
    },
  );
  return [follow] as const;
}

/** The router answers HEAD by a GET whose body nobody reads: a stream that nobody would ever end. */
function noHead(): HttpError {
  return new HttpError('method_not_allowed', 'Events take GET, not HEAD.', { headers: { allow: 'GET' } });
}
