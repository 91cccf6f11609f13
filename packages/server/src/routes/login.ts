/** `POST /api/login`: a one-time ticket from the printed link → the browser's cookie (reliability.md T24). */
import { z } from '@hono/zod-openapi';
import { HttpError } from '../http-error.ts';
import { defineRoute, json, type RouteParts, refusals } from '../route-definition.ts';

const Login = z.object({ ticket: z.string().min(1).max(200) }).openapi('Login');

export function loginRoutes({ tickets, auth }: Pick<RouteParts, 'tickets' | 'auth'>) {
  const login = defineRoute(
    {
      method: 'post',
      path: '/api/login',
      summary: 'Trade the ticket of a login link for a cookie. Each ticket works once, for ten minutes.',
      security: [],
      request: { body: { content: json(Login), required: true } },
      responses: {
        204: {
          description: 'Logged in.',
          headers: { 'set-cookie': { description: 'The cookie.', schema: { type: 'string' } } },
        },
        ...refusals(400, 413, 415),
      },
    },
    (context) => {
      if (!tickets.redeem(context.req.valid('json').ticket)) {
        throw new HttpError(
          'unauthorized',
          'The login link was used already or is older than ten minutes. Make a new one: restart `astroresearch serve`.',
        );
      }
      context.header('set-cookie', auth.setCookie);
      return context.body(null, 204);
    },
  );
  return [login] as const;
}
