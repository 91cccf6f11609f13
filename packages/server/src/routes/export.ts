/** `GET /api/sessions/{id}/export?format=jsonl|openai`: a session as a file of lines, streamed. */
import { EXPORT_FORMATS } from '@astroresearch/runtime';
import { z } from '@hono/zod-openapi';
import { unknownSession } from '../http-error.ts';
import { defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { SessionParams } from '../schemas.ts';

export function exportRoutes({ agent, auth }: Pick<RouteParts, 'agent' | 'auth'>) {
  const download = defineRoute(
    {
      method: 'get',
      path: '/api/sessions/{session_id}/export',
      summary: 'The session as a file: `jsonl` with everything, `openai` with the messages alone.',
      security: SECURED,
      request: {
        params: SessionParams,
        query: z.object({ format: z.enum(EXPORT_FORMATS).optional().openapi({ default: 'jsonl' }) }),
      },
      responses: {
        200: {
          description: 'One JSON object a line. Keys and tokens are `[redacted]`.',
          content: { 'application/x-ndjson': { schema: z.string() } },
        },
        ...refusals(400, 404),
      },
    },
    async (context) => {
      const { session_id: sessionId } = context.req.valid('param');
      const { format = 'jsonl' } = context.req.valid('query');
      const lines = await agent.exportSession(sessionId, { format, secrets: auth.secrets });
      if (lines === null) throw unknownSession(sessionId);
      return new Response(bytesOf(lines), {
        headers: {
          'content-type': 'application/x-ndjson; charset=utf-8',
          'content-disposition': `attachment; filename="${sessionId}.${format}.jsonl"`,
          'cache-control': 'no-store',
        },
      }) as never; // Typed as JSON by its name; it is a stream of lines.
    },
  );
  return [download] as const;
}

/** One line at a time, as fast as the client takes them. */
function bytesOf(lines: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = lines[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
