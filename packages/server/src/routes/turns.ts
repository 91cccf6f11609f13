/** `POST /api/sessions/{id}/turns`: starts a turn and, where the client wants it, streams it; `…/cancel` stops it. */
import type { SendOutcome, TurnRequest } from '@astroresearch/runtime';
import { z } from '@hono/zod-openapi';
import { disconnectOf } from '../connection.ts';
import { HttpError, unknownSession } from '../http-error.ts';
import { answer, defineRoute, json, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { NewTurn, SessionParams } from '../schemas.ts';

const TurnStarted = z.object({ turn_id: z.string() }).openapi('TurnStarted');
const CancelOutcome = z
  .object({ status: z.enum(['cancelling', 'idle']).openapi({ description: '`idle`: nothing was running.' }) })
  .openapi('CancelOutcome');

type Started = Extract<SendOutcome, { kind: 'started' }>;

export function turnRoutes({ agent, streams }: Pick<RouteParts, 'agent' | 'streams'>) {
  /** Throws `HttpError` where the turn did not start. */
  async function send(sessionId: string, request: TurnRequest): Promise<Started> {
    const outcome = await agent.send(sessionId, request);
    switch (outcome.kind) {
      case 'started':
        return outcome;
      case 'unknown-session':
        throw unknownSession(sessionId);
      case 'already-running':
        throw turnRunning(outcome.turnId);
      default:
        return outcome satisfies never;
    }
  }

  const start = defineRoute(
    {
      method: 'post',
      path: '/api/sessions/{session_id}/turns',
      summary:
        'Send a message. With `Accept: text/event-stream` the answer is the turn itself, up to `done`.',
      security: SECURED,
      request: { params: SessionParams, body: { content: json(NewTurn), required: true } },
      responses: {
        200: { description: "The turn's events.", content: { 'text/event-stream': { schema: z.string() } } },
        202: answer('The message is stored and the turn runs.', TurnStarted),
        ...refusals(400, 404, 409, 413, 415, 429),
      },
    },
    async (context) => {
      const { session_id: sessionId } = context.req.valid('param');
      const request = toRequest(context.req.valid('json'));
      if (!wantsStream(context.req.header('accept'))) {
        const { turnId } = await send(sessionId, request);
        return context.json({ turn_id: turnId }, 202);
      }
      // The place comes first: a turn that cannot be shown must not start.
      const place = streams.reserve('turn');
      const started = await send(sessionId, request).catch((error: unknown) => {
        place.release();
        throw error;
      });
      const response = await place.open({
        sessionId,
        afterSeq: started.firstSeq - 1,
        turn: started,
        disconnect: disconnectOf(context),
      });
      if (response === null) throw unknownSession(sessionId);
      return response;
    },
  );

  const cancel = defineRoute(
    {
      method: 'post',
      path: '/api/sessions/{session_id}/cancel',
      summary: 'Stop the running turn. Its events end with `done`, status `cancelled`.',
      security: SECURED,
      request: { params: SessionParams },
      responses: { 202: answer('It stops, or nothing was running.', CancelOutcome), ...refusals(400, 404) },
    },
    async (context) => {
      const { session_id } = context.req.valid('param');
      const status = await agent.cancel(session_id);
      if (status === null) throw unknownSession(session_id);
      return context.json({ status }, 202);
    },
  );

  return [start, cancel] as const;
}

function toRequest(body: z.infer<typeof NewTurn>): TurnRequest {
  return {
    message: body.message,
    ...(body.enable_thinking === undefined ? {} : { enableThinking: body.enable_thinking }),
    ...(body.model === undefined ? {} : { model: body.model }),
    ...(body.max_steps === undefined ? {} : { maxSteps: body.max_steps }),
    ...(body.permission_mode === undefined ? {} : { permissionMode: body.permission_mode }),
  };
}

/** An event stream is asked for by name; `*` alone is a client that does not care. */
function wantsStream(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/event-stream') ?? false;
}

function turnRunning(turnId: string | null): HttpError {
  const which = turnId === null ? 'Another process runs a turn' : `Turn ${turnId} is running`;
  return new HttpError(
    'turn_running',
    `${which} in this session. Wait for its \`done\`, or POST …/cancel; then send the message again.`,
    { details: { turn_id: turnId } },
  );
}
