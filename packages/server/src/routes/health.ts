/** `GET /healthz`: whether the server answers; the one thing it tells to anybody. */
import { z } from '@hono/zod-openapi';
import { answer, defineRoute, type RouteParts } from '../route-definition.ts';

const Health = z.object({ status: z.literal('ok'), version: z.string() }).openapi('Health');

export function healthRoutes({ version }: Pick<RouteParts, 'version'>) {
  const health = defineRoute(
    {
      method: 'get',
      path: '/healthz',
      summary: 'Whether the server answers. No token needed.',
      security: [],
      responses: { 200: answer('It does.', Health) },
    },
    (context) => context.json({ status: 'ok' as const, version }, 200),
  );
  return [health] as const;
}
