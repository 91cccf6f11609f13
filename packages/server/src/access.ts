/** The gate before any route (reliability.md T1–T3): host, then origin, then token. */
import type { MiddlewareHandler } from 'hono';
import type { Auth } from './auth.ts';
import { HttpError } from './http-error.ts';
import { isOwnPage, isUnsafe } from './origin.ts';

/** A page script can set it, a form cannot; asked of whoever proves itself by cookie alone. */
export const CLIENT_HEADER = 'x-astroresearch-client';

/** Everything below `/api`, and `/metrics`: also paths that do not exist. */
export function isGuarded(path: string): boolean {
  return path === '/api' || path.startsWith('/api/') || path === '/metrics';
}

/** The one guarded path that asks for no token: it gives the cookie. */
function isLogin(method: string, path: string): boolean {
  return method === 'POST' && path === '/api/login';
}

export function accessControl(parts: {
  readonly auth: Auth;
  /** The `Host` values answered to; see `allowedHosts`. */
  readonly hosts: ReadonlySet<string>;
}): MiddlewareHandler {
  return async (context, next) => {
    const { method, path } = context.req;
    const header = (name: string) => context.req.header(name) ?? null;
    const host = header('host');
    // The target of an absolute request line must agree: proxies and routers look at one or the other.
    if (host === null || !parts.hosts.has(host) || !parts.hosts.has(hostOf(context.req.url))) {
      throw new HttpError(
        'wrong_host',
        `This server answers to ${[...parts.hosts].join(', ')} only. Open it under one of these names.`,
      );
    }
    if (!isGuarded(path)) return next();
    if (!isOwnPage({ host, origin: header('origin'), secFetchSite: header('sec-fetch-site') })) {
      throw new HttpError(
        'wrong_origin',
        'Another web page sent this. Use the page that this server serves.',
      );
    }
    if (isLogin(method, path)) return next();
    const credential = parts.auth.check({
      authorization: header('authorization'),
      cookie: header('cookie'),
    });
    if (credential === null) {
      throw new HttpError(
        'unauthorized',
        'Send the token as `authorization: Bearer …` (AUTH_TOKEN, or the file auth-token in the data folder), or open the login link.',
        { headers: { 'www-authenticate': 'Bearer' } },
      );
    }
    if (credential === 'cookie' && isUnsafe(method) && header(CLIENT_HEADER) === null) {
      throw new HttpError('missing_client_header', `Send the header ${CLIENT_HEADER} along with the cookie.`);
    }
    return next();
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
