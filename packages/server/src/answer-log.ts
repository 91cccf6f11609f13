/** Around every request: the security headers on its answer, and one line in the log (reliability.md T24). */
import type { Clock } from '@astroresearch/runtime';
import type { MiddlewareHandler } from 'hono';
import type { Log } from './log.ts';
import { addSecurityHeaders } from './security-headers.ts';

/** Logs method, path, status and duration: no query string, no header, no body. */
export function answerLog(parts: { readonly clock: Clock; readonly log: Log }): MiddlewareHandler {
  return async (context, next) => {
    const startedMs = parts.clock.monotonicMs();
    await next();
    addSecurityHeaders(context.res.headers);
    parts.log('info', 'request', {
      method: context.req.method,
      path: context.req.path,
      status: context.res.status,
      elapsed_ms: Math.round(parts.clock.monotonicMs() - startedMs),
    });
  };
}
