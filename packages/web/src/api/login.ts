/** Signing in: the one-time ticket that `astroresearch serve` prints becomes an HttpOnly cookie (reliability.md T24). */
import type { Client } from './client.ts';

/** The ticket in a login link, in its fragment, or the bare ticket itself; null where there is none. */
export function ticketOf(text: string): string | null {
  const trimmed = text.trim();
  const inLink = /#login=([^&\s]+)/.exec(trimmed)?.[1];
  if (inLink !== undefined) return decoded(inLink);
  return /^[\w.~-]{8,}$/.test(trimmed) ? trimmed : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Throws `ApiError` where the server refuses the ticket. */
export async function signIn(client: Client, ticket: string): Promise<void> {
  await client.json('/api/login', { method: 'POST', body: { ticket } });
}
