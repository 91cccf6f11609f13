/** `GET /api/tools`: what the agent can use. */
import { z } from '@hono/zod-openapi';
import { answer, defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { listOf } from '../schemas.ts';

const Tool = z
  .object({
    name: z.string(),
    summary: z.object({ zh: z.string(), en: z.string() }),
    effect: z.enum(['read', 'idempotent', 'effect', 'interactive']),
  })
  .openapi('Tool');

export function toolRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const list = defineRoute(
    {
      method: 'get',
      path: '/api/tools',
      summary: 'The tools that the agent has.',
      security: SECURED,
      responses: { 200: answer('All tools.', listOf(Tool)), ...refusals() },
    },
    (context) => {
      const items = agent.tools().map(({ name, summary, effect }) => ({ name, summary, effect }));
      return context.json({ items }, 200);
    },
  );
  return [list] as const;
}
