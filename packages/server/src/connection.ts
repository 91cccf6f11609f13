/** Reaches the socket behind a request, where there is one: only to cut off a client that does not read. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

export function disconnectOf(context: Context): () => void {
  // In-process requests (tests, embedding) have no socket.
  const bindings = context.env as Partial<HttpBindings> | undefined;
  return () => bindings?.outgoing?.destroy();
}
