/** Server-sent events as text (api.md, Events; I29): any payload stays inside its one `data:` line. */
import type { WireEvent } from '@astroresearch/core';

/** `id:` for durable events only: a client that reconnects names the last thing it can ask for. */
export function eventFrame(event: WireEvent): string {
  const id = event.seq === null ? '' : `id: ${event.seq}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/** Sent at once and then now and again, so that proxies keep the connection and a dead one is noticed. */
export const HEARTBEAT_FRAME = ': heartbeat\n\n';

/** Tells the client how long to wait before it connects again. */
export function retryFrame(delayMs: number): string {
  return `retry: ${delayMs}\n\n`;
}
