/** `POST /api/sessions/{id}/fork`: a new session that begins like this one. */
import { messageId } from '@astroresearch/core';
import { z } from '@hono/zod-openapi';
import { HttpError, unknownSession } from '../http-error.ts';
import { answer, defineRoute, json, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { Session, SessionParams, sessionToWire } from '../schemas.ts';

const Fork = z
  .object({
    message_id: z
      .string()
      .regex(/^m[1-9]\d{0,14}$/, { error: 'must be a message id, as m42' })
      .optional()
      .openapi({ description: 'The last message of the fork; left out: everything so far.' }),
  })
  .openapi('Fork');

export function forkRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const fork = defineRoute(
    {
      method: 'post',
      path: '/api/sessions/{session_id}/fork',
      summary: 'Make a new session that begins like this one, up to and with a message.',
      security: SECURED,
      request: { params: SessionParams, body: { content: json(Fork), required: false } },
      responses: { 201: answer('The new session.', Session), ...refusals(400, 404, 413, 415) },
    },
    async (context) => {
      const { session_id } = context.req.valid('param');
      const { message_id: wanted } = context.req.valid('json');
      const upTo = wanted === undefined ? null : messageId(Number(wanted.slice(1)));
      const outcome = await agent.forkSession(session_id, upTo);
      if (outcome === null) throw unknownSession(session_id);
      switch (outcome.kind) {
        case 'forked':
          return context.json(sessionToWire(outcome.session), 201);
        case 'unknown-message':
          throw new HttpError(
            'not_found',
            `This session has no message ${wanted}. GET …/messages lists them.`,
          );
        default:
          return outcome satisfies never;
      }
    },
  );

  return [fork] as const;
}
