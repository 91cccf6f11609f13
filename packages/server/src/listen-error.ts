/** Why the server may not or cannot listen, in words that say what to change. */
import { isLoopback } from './origin.ts';

/** Throws where a listener that other machines can reach would be guarded by a token that nobody chose (T1, T34). */
export function refuseOpenListener(host: string, authToken: string | null): void {
  if (isLoopback(host) || authToken !== null) return;
  throw new Error(
    `HOST=${host} can be reached from other machines: set AUTH_TOKEN to a secret of your own, or HOST=127.0.0.1.`,
  );
}

/** What the operating system said → what to do. */
export function listenError(
  cause: unknown,
  listener: { readonly host: string; readonly port: number },
): Error {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return new Error(explain(code, listener.host, listener.port), { cause });
}

function explain(code: unknown, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program, perhaps another server of ours. Stop it, or set PORT to another number (0: any free one).`;
    case 'EACCES':
      return `Port ${port} may not be opened by this user. Set PORT to a number above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${host} is no address of this machine. Set HOST=127.0.0.1.`;
    default:
      return `The server cannot listen on ${host}, port ${port}. Set HOST and PORT to others.`;
  }
}
