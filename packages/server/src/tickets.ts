/** One-time login tickets (reliability.md T24): what the printed login link carries instead of the token. */
import { createHash } from 'node:crypto';
import type { Clock } from '@astroresearch/runtime';

export type Tickets = {
  /** A new ticket: 256 random bits, good for one login within ten minutes. */
  issue(): string;
  /** True once for a ticket that was issued and is not too old. */
  redeem(ticket: string): boolean;
};

export type RandomBytes = (count: number) => Uint8Array;

const LIFETIME_MS = 10 * 60 * 1000;
/** The oldest give way: a caller that asks for link after link cannot fill the memory. */
const MAX_OPEN = 100;

export function createTickets(parts: {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly randomBytes: RandomBytes;
}): Tickets {
  /** Hash of a ticket → when it ends. Kept as hashes, so that the look-up's duration tells nothing. */
  const open = new Map<string, number>();
  return {
    issue() {
      const now = parts.clock.monotonicMs();
      for (const [hash, endsMs] of open) if (endsMs <= now || open.size >= MAX_OPEN) open.delete(hash);
      const ticket = Buffer.from(parts.randomBytes(32)).toString('base64url');
      open.set(hashOf(ticket), now + LIFETIME_MS);
      return ticket;
    },
    redeem(ticket) {
      const hash = hashOf(ticket);
      const endsMs = open.get(hash);
      open.delete(hash);
      return endsMs !== undefined && parts.clock.monotonicMs() < endsMs;
    },
  };
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url');
}
