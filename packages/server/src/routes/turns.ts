/** `POST /api/sessions/{id}/turns`: starts a turn and, where the client wants it, streams it; `…/cancel` stops it. */
import type { SendOutcome, TurnRequest } from '@astroresearch/runtime';
import { z } from '@hono/zod-openapi';
import { disconnectOf } from '../connection.ts';
import { HttpError, unknownSession } from '../http-error.ts';
import { answer, defineRoute, json, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { NewTurn, SessionParams } from '../schemas.ts';

const TurnStarted = z
  .object({
    turn_id: z.string(),
    queued: z.literal(true).optional().openapi({
      description: 'The message waits for the next step boundary of this turn, or begins the next one.',
    }),
  })
  .openapi('TurnStarted');
const TurnHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, { error: 'must be 1 to 200 visible ASCII characters' })
    .optional()
    .openapi({
      description: 'A repeat under the same key answers with the same turn; another body under it gets 422.',
    }),
});
const CancelOutcome = z
  .object({ status: z.enum(['cancelling', 'idle']).openapi({ description: '`idle`: nothing was running.' }) })
  .openapi('CancelOutcome');

/** A turn that was begun, or had been begun by the same request. */
type Started = Extract<SendOutcome, { kind: 'started' | 'queued' | 'repeated' }>;

export function turnRoutes({ agent, streams }: Pick<RouteParts, 'agent' | 'streams'>) {
  /** Throws `HttpError` where the turn did not start. */
  async function send(sessionId: string, request: TurnRequest): Promise<Started> {
    const outcome = await agent.send(sessionId, request);
    switch (outcome.kind) {
      case 'started':
      case 'queued':
      case 'repeated':
        return outcome;
      case 'key-reused':
        throw keyReused(outcome.turnId);
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
      request: {
        params: SessionParams,
        headers: TurnHeaders,
        body: { content: json(NewTurn), required: true },
      },
      responses: {
        200: { description: "The turn's events.", content: { 'text/event-stream': { schema: z.string() } } },
        202: answer('The message is stored and the turn runs.', TurnStarted),
        ...refusals(400, 404, 409, 413, 415, 422, 429),
      },
    },
    async (context) => {
      const { session_id: sessionId } = context.req.valid('param');
      const { 'idempotency-key': key } = context.req.valid('header');
      const request = {
        ...toRequest(context.req.valid('json')),
        ...(key === undefined ? {} : { idempotencyKey: key }),
      };
      if (!wantsStream(context.req.header('accept'))) {
        const { turnId, kind } = await send(sessionId, request);
        return context.json({ turn_id: turnId, ...(kind === 'queued' ? { queued: true } : {}) }, 202);
      }
      // The place comes first: a turn that cannot be shown must not start.
      const place = streams.reserve('turn');
      const started = await send(sessionId, request).catch((error: unknown) => {
        place.release();
        throw error;
      });
      const response = await place.open({
        sessionId,
        afterSeq: (started.kind === 'queued' ? started.seq : started.firstSeq) - 1,
        turn: { turnId: started.turnId, ended: started.kind === 'started' ? started.ended : null },
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
    ...(body.queue === undefined ? {} : { queue: body.queue }),
    ...(body.permission_mode === undefined ? {} : { permissionMode: body.permission_mode }),
  };
}

/** An event stream is asked for by name; `*` alone is a client that does not care. */
function wantsStream(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/event-stream') ?? false;
}

function keyReused(turnId: string): HttpError {
  return new HttpError(
    'idempotency_key_reused',
    `This Idempotency-Key belongs to another request (turn ${turnId}). Use a new key for a new message.`,
    { details: { turn_id: turnId } },
  );
}

function turnRunning(turnId: string | null): HttpError {
  const which = turnId === null ? 'Another process runs a turn' : `Turn ${turnId} is running`;
  return new HttpError(
    'turn_running',
    `${which} in this session. Wait for its \`done\`, or POST …/cancel; then send the message again.`,
    { details: { turn_id: turnId } },
  );
}
