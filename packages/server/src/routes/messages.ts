/** `GET /api/sessions/{id}/messages` and `…/tasks`: what a session holds. */
import { type MessageId, messageToWire } from '@astroresearch/core';
import { z } from '@hono/zod-openapi';
import { unknownSession } from '../http-error.ts';
import { answer, defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { countParameter, listOf, SessionParams } from '../schemas.ts';

const DEFAULT_LIMIT = 100;

/** The fields that every message has; `core` writes the rest (`thought`, `tool_calls`, `tool_call_id` …). */
const Message = z
  .looseObject({
    id: z.string(),
    session_id: z.string(),
    agent_name: z.string(),
    turn_index: z.int(),
    step: z.int(),
    role: z.string(),
    content: z.string(),
    token_count: z.int(),
    created_at: z.iso.datetime(),
  })
  .openapi('Message');

const Task = z
  .object({
    id: z.string(),
    content: z.string(),
    status: z.enum(['pending', 'in_progress', 'completed']),
    blocked_by: z.array(z.string()),
  })
  .openapi('Task');

export function messageRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const list = defineRoute(
    {
      method: 'get',
      path: '/api/sessions/{session_id}/messages',
      summary: 'The stored messages, oldest first.',
      security: SECURED,
      request: {
        params: SessionParams,
        query: z.object({
          agent_name: z.string().min(1).max(100).optional().openapi({
            default: 'lead',
            description: '`*`: all agents.',
          }),
          limit: countParameter({ max: 500, default: DEFAULT_LIMIT }),
          cursor: z
            .string()
            .regex(/^m\d{1,15}$/, { error: 'must be the `next_cursor` of the page before' })
            .optional(),
        }),
      },
      responses: { 200: answer('A page of messages.', listOf(Message)), ...refusals(400, 404) },
    },
    async (context) => {
      const { session_id: sessionId } = context.req.valid('param');
      const { agent_name: agentName = 'lead', limit = DEFAULT_LIMIT, cursor } = context.req.valid('query');
      const after = cursor === undefined ? null : (cursor as MessageId);
      // One more than asked for tells whether there is a next page.
      const messages = await agent.readMessages(sessionId, { agentName, after, limit: limit + 1 });
      if (messages === null) throw unknownSession(sessionId);
      const shown = messages.slice(0, limit);
      const items = shown.map((message) => messageToWire(sessionId, message) as z.infer<typeof Message>);
      const last = messages.length > limit ? shown.at(-1) : undefined;
      return context.json(last === undefined ? { items } : { items, next_cursor: last.id }, 200);
    },
  );

  const tasks = defineRoute(
    {
      method: 'get',
      path: '/api/sessions/{session_id}/tasks',
      summary: "The agent's plan.",
      security: SECURED,
      request: { params: SessionParams },
      responses: { 200: answer('The tasks in order.', listOf(Task)), ...refusals(400, 404) },
    },
    async (context) => {
      const { session_id } = context.req.valid('param');
      const stored = await agent.readTasks(session_id);
      if (stored === null) throw unknownSession(session_id);
      const items = stored.map(({ id, content, status, blockedBy }) => ({
        id,
        content,
        status,
        blocked_by: [...blockedBy],
      }));
      return context.json({ items }, 200);
    },
  );

  return [list, tasks] as const;
}
