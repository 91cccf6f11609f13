/** The HTTP face as one Hono app: the gate, the routes in one table, the page, and what a refusal looks like. */
import type { Agent, Clock } from '@astroresearch/runtime';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { ZodError } from 'zod';
import { accessControl, isGuarded } from './access.ts';
import { answerLog } from './answer-log.ts';
import type { Auth } from './auth.ts';
import { errorResponse, HttpError, toHttpError } from './http-error.ts';
import type { Log } from './log.ts';
import { openApiDocument } from './openapi.ts';
import { type Page, pageResponse } from './page.ts';
import { requestBody } from './request-body.ts';
import type { RouteParts } from './route-definition.ts';
import { compactRoutes } from './routes/compact.ts';
import { contextRoutes } from './routes/context.ts';
import { eventRoutes } from './routes/events.ts';
import { exportRoutes } from './routes/export.ts';
import { forkRoutes } from './routes/fork.ts';
import { healthRoutes } from './routes/health.ts';
import { importRoutes } from './routes/import.ts';
import { loginRoutes } from './routes/login.ts';
import { messageRoutes } from './routes/messages.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { recallRoutes } from './routes/recall.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { toolRoutes } from './routes/tools.ts';
import { trajectoryRoutes } from './routes/trajectories.ts';
import { turnRoutes } from './routes/turns.ts';
import type { EventStreams } from './sse.ts';
import type { Tickets } from './tickets.ts';

export type AppParts = {
  readonly agent: Agent;
  readonly streams: EventStreams;
  readonly auth: Auth;
  readonly tickets: Tickets;
  /** The `Host` values answered to; see `allowedHosts`. */
  readonly hosts: ReadonlySet<string>;
  readonly page: Page;
  readonly clock: Clock;
  readonly version: string;
  readonly log: Log;
};

export function createApp(parts: AppParts): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseFaults });
  app.use(answerLog(parts));
  app.use(accessControl(parts));
  app.use(requestBody);

  app.openapiRoutes(routeTable(parts));
  const document = openApiDocument(app, parts.version);
  app.get('/api/openapi.json', (context) => context.json(document));
  app.get('*', (context, next) => {
    const { path } = context.req;
    if (isGuarded(path)) return next();
    return Promise.resolve(pageResponse(parts.page, path, context.req.header('if-none-match')));
  });

  app.notFound((context) => errorResponse(nothingHere(app, context.req.method, context.req.path)));
  app.onError((thrown, context) => {
    const error = toHttpError(thrown);
    if (error.status >= 500) {
      const { method, path } = context.req;
      parts.log('error', 'a request failed', { method, path, code: error.code, error: describe(thrown) });
    }
    return errorResponse(error);
  });
  return app;
}

/** Every route of the API. */
function routeTable(parts: RouteParts) {
  return [
    ...healthRoutes(parts),
    ...loginRoutes(parts),
    ...sessionRoutes(parts),
    ...turnRoutes(parts),
    ...messageRoutes(parts),
    ...compactRoutes(parts),
    ...recallRoutes(parts),
    ...contextRoutes(parts),
    ...metricsRoutes(parts),
    ...trajectoryRoutes(parts),
    ...exportRoutes(parts),
    ...forkRoutes(parts),
    ...importRoutes(parts),
    ...eventRoutes(parts),
    ...toolRoutes(parts),
  ] as const;
}

/** Where a request does not fit its schema: every fault with its path. */
function refuseFaults(result: { success: true } | { success: false; error: ZodError; target: string }): void {
  if (result.success) return;
  const { error, target } = result;
  const faults = error.issues.map(({ path, message }) => ({ in: target, path: path.join('.'), message }));
  const text = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  throw new HttpError('bad_request', `${text}. /api/openapi.json shows what this call takes.`, {
    details: { faults },
  });
}

function nothingHere(app: OpenAPIHono, method: string, path: string): HttpError {
  const allowed = ['GET', 'POST', 'PATCH', 'DELETE'].filter(
    (other) =>
      other !== method && app.routes.some((route) => route.method === other && fits(route.path, path)),
  );
  if (allowed.length > 0) {
    const list = allowed.join(', ');
    return new HttpError('method_not_allowed', `${path} takes ${list}, not ${method}.`, {
      headers: { allow: list },
    });
  }
  return new HttpError('not_found', `There is no ${method} ${path}. /api/openapi.json lists what there is.`);
}

/** `/api/sessions/:session_id` fits `/api/sessions/abc`. */
function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(':') || part === given[index])
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
