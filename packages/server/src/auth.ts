/** Who may call (reliability.md T1, T24): the bearer token, or the cookie that a login gave. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

type Credential = 'bearer' | 'cookie';

export type Auth = {
  /** How the request proves itself; null: it does not. A wrong `authorization` is not saved by a right cookie. */
  check(headers: {
    readonly authorization: string | null;
    readonly cookie: string | null;
  }): Credential | null;
  /** What no answer shows. */
  readonly secrets: readonly string[];
  /** The `set-cookie` value of a login. */
  readonly setCookie: string;
};

const COOKIE_DAYS = 30;

/**
 * `port` is part of the cookie's name, since browsers share cookies between the ports of one host. The value is an
 * HMAC of the token: it survives a restart, and does not tell the token.
 */
export function createAuth(token: string, port: number): Auth {
  const cookieName = `astroresearch-${port}`;
  const cookieValue = createHmac('sha256', token).update('astroresearch login cookie').digest('base64url');
  return {
    check({ authorization, cookie }) {
      if (authorization !== null) {
        const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
        return given !== undefined && sameSecret(given, token) ? 'bearer' : null;
      }
      const given = cookie === null ? undefined : readCookie(cookie, cookieName);
      return given !== undefined && sameSecret(given, cookieValue) ? 'cookie' : null;
    },
    secrets: [token, cookieValue],
    // No `Secure`: on loopback the page is served over plain http.
    setCookie: `${cookieName}=${cookieValue}; Path=/; Max-Age=${COOKIE_DAYS * 86_400}; HttpOnly; SameSite=Strict`,
  };
}

/** Compares without telling by its duration where the difference lies, nor how long the secret is. */
export function sameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(sha256(given), sha256(secret));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The first cookie of that name. */
function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
