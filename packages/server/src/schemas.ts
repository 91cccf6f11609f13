/** What requests and answers look like: the schemas that validate are the ones OpenAPI shows (api.md, HTTP). */
import { isoTime, PERMISSION_MODES } from '@astroresearch/core';
import type { SessionRow } from '@astroresearch/runtime';
import { z } from '@hono/zod-openapi';

const MAX_METADATA_BYTES = 16 * 1024;
const MAX_TITLE_CHARS = 200;
const MAX_STEPS = 100;

export const ErrorBody = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string().openapi({ description: 'Says what to do.' }),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .openapi('Error');

export const Session = z
  .object({
    session_id: z.string(),
    title: z.string(),
    summary: z.string().nullable(),
    model: z.string().nullable(),
    turn_count: z.int(),
    status: z.enum(['idle', 'running']),
    metadata: z.record(z.string(), z.unknown()),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Session');

export function sessionToWire(row: SessionRow): z.infer<typeof Session> {
  return {
    session_id: row.sessionId,
    title: row.title,
    summary: row.summary,
    model: row.model,
    turn_count: row.turnCount,
    status: row.status,
    metadata: { ...row.metadata },
    created_at: isoTime(row.createdAtMs),
    updated_at: isoTime(row.updatedAtMs),
  };
}

const Title = z.string().trim().min(1).max(MAX_TITLE_CHARS);
const Model = z.string().trim().min(1).max(200);
const Metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES, {
    error: `must be at most ${MAX_METADATA_BYTES} bytes of JSON`,
  });

export const NewSession = z
  .object({
    title: z.string().trim().max(MAX_TITLE_CHARS).optional(),
    model: Model.optional(),
    metadata: Metadata.optional(),
  })
  .openapi('NewSession');

export const SessionChange = z.object({ title: Title }).openapi('SessionChange');

export const NewTurn = z
  .object({
    message: z.string().refine((text) => text.trim() !== '', { error: 'must not be blank' }),
    enable_thinking: z.boolean().optional(),
    model: Model.optional(),
    max_steps: z.int().min(1).max(MAX_STEPS).optional(),
    permission_mode: z.enum(PERMISSION_MODES).optional(),
    queue: z.boolean().optional().openapi({
      description:
        'While a turn runs: keep the message until its next step boundary instead of answering 409.',
    }),
  })
  .openapi('NewTurn');

export const SessionParams = z.object({
  session_id: z
    .string()
    .max(200)
    .regex(/^[\w-]+$/, { error: 'must be an id as POST /api/sessions gives it' }),
});

/** A whole number in a query string. */
export function countParameter(range: { readonly max: number; readonly default: number }) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.int().min(1).max(range.max))
    .optional()
    .openapi({ type: 'integer', minimum: 1, maximum: range.max, default: range.default });
}

/** `{items, next_cursor?}`: without `next_cursor` there is no further page. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().optional() });
}
