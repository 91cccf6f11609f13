/** `POST /api/sessions/import?format=…`: a new session from a file; all of it, or nothing. */
import { IMPORT_FORMATS } from '@astroresearch/runtime';
import { z } from '@hono/zod-openapi';
import { HttpError } from '../http-error.ts';
import { answer, defineRoute, type RouteParts, refusals, SECURED } from '../route-definition.ts';
import { Session, sessionToWire } from '../schemas.ts';

const Imported = Session.extend({
  import: z.object({
    format: z.enum(IMPORT_FORMATS),
    messages: z.int(),
    repairs: z.array(z.looseObject({ kind: z.string() })),
    skipped: z.array(z.object({ line: z.int(), reason: z.string() })),
  }),
}).openapi('ImportedSession');

export function importRoutes({ agent }: Pick<RouteParts, 'agent'>) {
  const upload = defineRoute(
    {
      method: 'post',
      path: '/api/sessions/import',
      summary: 'Make a session from a file: our own export, OpenAI chat messages, Claude Code, Codex or pi.',
      description: 'The body is the file, at most 25 MiB, as application/json or application/x-ndjson.',
      security: SECURED,
      request: {
        query: z.object({
          format: z
            .enum(['auto', ...IMPORT_FORMATS])
            .optional()
            .openapi({ default: 'auto' }),
        }),
      },
      responses: {
        201: answer('The new session, and what was mended or left out.', Imported),
        ...refusals(400, 413, 415),
      },
    },
    async (context) => {
      const { format = 'auto' } = context.req.valid('query');
      const outcome = await agent.importSession(readText(await context.req.raw.arrayBuffer()), { format });
      switch (outcome.kind) {
        case 'imported': {
          const { repairs, skipped, ...report } = outcome.report;
          const told = {
            ...report,
            repairs: repairs.map((repair) => ({ ...repair })),
            skipped: skipped.map((line) => ({ ...line })),
          };
          return context.json({ ...sessionToWire(outcome.session), import: told }, 201);
        }
        case 'unreadable': {
          const { line, reason } = outcome;
          throw new HttpError('bad_request', `Line ${line}: ${reason}. Nothing was imported.`, {
            details: { line, reason },
          });
        }
        default:
          return outcome satisfies never;
      }
    },
  );
  return [upload] as const;
}

function readText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError('bad_request', 'The file is not valid UTF-8. Nothing was imported.');
  }
}
