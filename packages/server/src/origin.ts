/** Which web page may be behind a request (reliability.md T2, T3): exact `Host`, own `Origin`, no other site. */

/** The `Host` values that this server answers to. Compared as written: no case folding, no trailing dot, no guess. */
export function allowedHosts(listener: {
  readonly host: string;
  readonly port: number;
}): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  if (!isUnspecified(listener.host)) names.push(inUrl(listener.host).toLowerCase());
  const hosts = names.map((name) => `${name}:${listener.port}`);
  // Browsers leave out the port that `http` implies.
  return new Set(listener.port === 80 ? [...hosts, ...names] : hosts);
}

/** `::1` → `[::1]`. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Listens on this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** `0.0.0.0` and `::` mean "all interfaces"; nobody's name, so no request may carry them. */
function isUnspecified(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

export type OriginHeaders = {
  readonly host: string;
  readonly origin: string | null;
  readonly secFetchSite: string | null;
};

/**
 * False when a browser says that another page than our own sent this. Programs send neither header and pass. Other
 * ports of this machine count as another page (`same-site`).
 */
export function isOwnPage({ host, origin, secFetchSite }: OriginHeaders): boolean {
  if (origin !== null && origin !== `http://${host}`) return false;
  return secFetchSite === null || secFetchSite === 'same-origin' || secFetchSite === 'none';
}

/** Methods that change something. */
export function isUnsafe(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}
