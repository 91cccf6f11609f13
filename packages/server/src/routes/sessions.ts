/** `/api/sessions`: make, list, search, read, rename, delete. */
import { z } from '@hono/zod-openapi';
import { unknownSession } from '../http-error.ts';
import { answer, defineRoute, json, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import {
  countParameter,
  listOf,
  NewSession,
  Session,
  SessionChange,
  SessionParams,
  sessionToWire,
} from '../schemas.ts';

const DEFAULT_LIMIT = 50;

export function sessionRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const create = defineRoute(
    {
      method: 'post',
      path: '/api/sessions',
      summary: 'Make a session.',
      security: SECURED,
      request: { body: { content: json(NewSession), required: false } },
      responses: { 201: answer('The new session.', Session), ...refusals(400, 413, 415) },
    },
    async (context) => {
      const { title, model, metadata } = context.req.valid('json');
      const row = await agent.createSession({
        ...(title === undefined ? {} : { title }),
        ...(model === undefined ? {} : { model }),
        ...(metadata === undefined ? {} : { metadata }),
      });
      return context.json(sessionToWire(row), 201);
    },
  );

  const list = defineRoute(
    {
      method: 'get',
      path: '/api/sessions',
      summary: 'List sessions, newest first; `q` searches titles and messages.',
      security: SECURED,
      request: {
        query: z.object({
          limit: countParameter({ max: 200, default: DEFAULT_LIMIT }),
          cursor: z.string().max(500).optional(),
          q: z.string().max(500).optional(),
        }),
      },
      responses: { 200: answer('A page of sessions.', listOf(Session)), ...refusals(400) },
    },
    async (context) => {
      const { limit = DEFAULT_LIMIT, cursor = null, q } = context.req.valid('query');
      const query = q === undefined || q.trim() === '' ? null : q.trim();
      const { items, nextCursor } = await agent.listSessions({ limit, cursor, query });
      const page = { items: items.map(sessionToWire) };
      return context.json(nextCursor === null ? page : { ...page, next_cursor: nextCursor }, 200);
    },
  );

  const read = defineRoute(
    {
      method: 'get',
      path: '/api/sessions/{session_id}',
      summary: 'Read a session.',
      security: SECURED,
      request: { params: SessionParams },
      responses: { 200: answer('The session.', Session), ...refusals(400, 404) },
    },
    async (context) => {
      const { session_id } = context.req.valid('param');
      const row = await agent.readSession(session_id);
      if (row === null) throw unknownSession(session_id);
      return context.json(sessionToWire(row), 200);
    },
  );

  const rename = defineRoute(
    {
      method: 'patch',
      path: '/api/sessions/{session_id}',
      summary: 'Rename a session.',
      security: SECURED,
      request: { params: SessionParams, body: { content: json(SessionChange), required: true } },
      responses: { 200: answer('The session as it is now.', Session), ...refusals(400, 404, 413, 415) },
    },
    async (context) => {
      const { session_id } = context.req.valid('param');
      const row = await agent.renameSession(session_id, context.req.valid('json').title);
      if (row === null) throw unknownSession(session_id);
      return context.json(sessionToWire(row), 200);
    },
  );

  const remove = defineRoute(
    {
      method: 'delete',
      path: '/api/sessions/{session_id}',
      summary: 'Delete a session; what runs in it is cancelled first.',
      security: SECURED,
      request: { params: SessionParams },
      responses: { 204: { description: 'It is gone.' }, ...refusals(400, 404) },
    },
    async (context) => {
      const { session_id } = context.req.valid('param');
      if ((await agent.deleteSession(session_id)) === null) throw unknownSession(session_id);
      return context.body(null, 204);
    },
  );

  return [create, list, read, rename, remove] as const;
}
