/** May a line of a session file be an event? What folding and storing rely on is checked; what is new to us is kept. */
import { z } from 'zod';

const count = z.number().nonnegative();
const text = z.string();
const parts = z.array(
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text }),
    z.looseObject({ type: z.literal('reasoning'), text, signature: text.optional() }),
    z.looseObject({ type: z.literal('tool-call'), toolCallId: text, name: text, arguments: text }),
    z.looseObject({ type: z.literal('tool-result'), toolCallId: text, name: text, status: text, text }),
  ]),
);
const id = z.string().regex(/^m[1-9]\d{0,14}$/, { error: 'must be a message id, as m42' });
const messageFields = {
  id,
  agentName: text,
  turnIndex: count,
  step: count,
  tokens: count,
  createdAtMs: z.number(),
  parts,
};
const range = z.looseObject({ from: id, to: id });
const message = z.discriminatedUnion('role', [
  z.looseObject({ ...messageFields, role: z.literal('system') }),
  z.looseObject({ ...messageFields, role: z.literal('user'), covers: range.optional() }),
  z.looseObject({ ...messageFields, role: z.literal('assistant'), ending: text }),
  z.looseObject({
    ...messageFields,
    role: z.literal('tool'),
    parts: parts.refine((all) => all.length === 1 && all[0]?.type === 'tool-result', {
      error: 'must be one tool-result',
    }),
  }),
]);
const usage = z.looseObject({
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count,
  reasoningTokens: count,
  estimated: z.boolean(),
});
const edit = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('rewrite'), layer: text, message: id, parts, tokens: count }),
  z.looseObject({
    kind: z.literal('replace'),
    layer: text,
    replacement: z.looseObject({
      ...messageFields,
      role: z.literal('user'),
      covers: range,
      digest: z.looseObject({}),
    }),
  }),
]);
const task = z.looseObject({ id: text, content: text, status: text, blockedBy: z.array(text) });
const strings = z.array(text);

/** By the type's name on the wire: the event's own fields. */
const DATA: Readonly<Record<string, z.ZodType>> = {
  session_created: z.looseObject({
    title: text,
    model: text.nullable(),
    metadata: z.record(text, z.unknown()),
  }),
  session_updated: z.looseObject({ title: text }),
  session: z.looseObject({
    title: text,
    model: text,
    provider: text,
    resumed: z.boolean(),
    enableThinking: z.boolean(),
    turnIndex: count,
    maxSteps: count,
    permissionMode: text,
    language: z.enum(['zh', 'en']),
    toolTokens: count,
    pollTools: strings,
    writeTools: strings,
    canPlan: z.boolean(),
  }),
  message: z.looseObject({ message, usage: usage.optional() }),
  step: z.looseObject({
    n: count,
    estimatedTokens: z.number(),
    spentTokens: z.number(),
    forced: text.nullable(),
  }),
  nudge: z.looseObject({ level: text, spentTokens: z.number() }),
  tool_call: z.looseObject({ toolCallId: text, name: text }),
  tool_result: z.looseObject({
    toolCallId: text,
    name: text,
    status: text,
    elapsedMs: z.number(),
    truncated: z.boolean(),
    message,
  }),
  recovery: z.looseObject({ kind: text, action: text }),
  model_switch: z.looseObject({ from: text, to: text, reason: text }),
  tasks: z.looseObject({ tasks: z.array(task) }),
  cancel_requested: z.looseObject({}),
  compact_requested: z.looseObject({ keep: text.nullable() }),
  turn_resumed: z.looseObject({ sendsAgain: z.boolean() }),
  turn_suspended: z.looseObject({}),
  message_queued: z.looseObject({ text }),
  queue_taken: z.looseObject({ count }),
  compaction: z.looseObject({
    trigger: text,
    outcome: text,
    layers: z.array(z.looseObject({ layer: text, edits: count })),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    success: z.boolean(),
    breakerEvents: z.array(z.unknown()),
    edits: z.array(edit),
  }),
  attempt_failed: z.looseObject({ failure: z.looseObject({ kind: text, message: text }) }),
  retry: z.looseObject({ kind: text, attempt: count, delayMs: count }),
  usage: z.looseObject({ usage, spentTokens: z.number(), steps: count }),
  error: z.looseObject({ kind: text, message: text, retryable: z.boolean() }),
  done: z.looseObject({ status: text }),
};

const Line = z.object({
  seq: z.int(),
  type: text,
  turn_id: text.nullable(),
  agent_name: text,
  step: count,
  at_ms: z.number().min(0).max(8.64e15),
  data: z.record(text, z.unknown()),
});

/** Null: it may; else in one phrase why not. */
export function eventFault(value: unknown): string | null {
  const line = Line.safeParse(value);
  if (!line.success) return firstFault(line.error);
  const shape = Object.hasOwn(DATA, line.data.type) ? DATA[line.data.type] : undefined;
  if (shape === undefined) return `"${line.data.type}" is no event of a session that could be imported`;
  const data = shape.safeParse(line.data.data);
  return data.success ? null : `${line.data.type}: ${firstFault(data.error)}`;
}

function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  return path === '' ? (issue?.message ?? 'unreadable') : `${path}: ${issue?.message}`;
}
