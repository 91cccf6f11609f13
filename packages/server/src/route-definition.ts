/** What every route of the API shares: how it says which errors and credentials it has, and what it may use. */
import type { Agent } from '@astroresearch/runtime';
import { createRoute, type RouteConfig, type RouteHandler, type z } from '@hono/zod-openapi';
import type { Auth } from './auth.ts';
import { ErrorBody } from './schemas.ts';
import type { EventStreams } from './sse.ts';
import type { Tickets } from './tickets.ts';

/** What routes are made from. */
export type RouteParts = {
  readonly agent: Agent;
  readonly streams: EventStreams;
  readonly tickets: Tickets;
  readonly auth: Auth;
  readonly version: string;
};

/** A route and what answers it; the types of both come from the schemas. */
export function defineRoute<P extends string, R extends Omit<RouteConfig, 'path'> & { path: P }>(
  route: R,
  handler: RouteHandler<R>,
) {
  return { route: createRoute<P, R>(route), handler };
}

/** Either of the two ways to prove oneself. */
export const SECURED = [{ bearer: [] }, { cookie: [] }];

export function json<T extends z.ZodType>(schema: T) {
  return { 'application/json': { schema } };
}

export function answer<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: json(schema) };
}

const REASONS = {
  400: 'The request is not what the schema says; `details.faults` lists each fault with its path.',
  401: 'No token, or a wrong one.',
  404: 'There is no such session.',
  409: 'A turn is running; its id is in `details.turn_id`.',
  413: 'The body is too large.',
  415: 'The body is not application/json.',
  422: 'The Idempotency-Key belongs to another request.',
  429: 'Too many event streams are open.',
  503: 'The database cannot be used at the moment.',
} as const;

type ErrorStatus = keyof typeof REASONS;

/** The error answers of a route; 401 and 503 are every secured route's. */
export function refusals<S extends ErrorStatus>(...statuses: readonly S[]) {
  const listed: Record<number, ReturnType<typeof answer<typeof ErrorBody>>> = {};
  for (const status of [...statuses, 401, 503] as const) listed[status] = answer(REASONS[status], ErrorBody);
  return listed as { readonly [status in S | 401 | 503]: ReturnType<typeof answer<typeof ErrorBody>> };
}
