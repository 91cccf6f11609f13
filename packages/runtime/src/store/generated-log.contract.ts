/** Logs for the contract suite, odd on purpose: any parts in any order, any text, any JSON, any optional field. */
import {
  LEAD,
  type Message,
  messageId,
  type ReasoningPart,
  type Task,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  type ToolStatus,
  type TurnEvent,
  type Usage,
} from '@astroresearch/core';
import fc from 'fast-check';

/** Also halves of surrogate pairs, alone and beside their other half, NUL, and what SQL and JSON treat specially. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc
    .array(
      fc.constantFrom('\ud83c', '\udf0c', '🌌', '星系', '\0', "'", '"', '\\', '%', '\n', '\u2028', 'a'),
      {
        maxLength: 6,
      },
    )
    .map((pieces) => pieces.join('')),
);
const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 });
const count = fc.nat({ max: 2 ** 40 });
const status = fc.constantFrom<ToolStatus>('ok', 'error', 'denied', 'skipped', 'cancelled', 'interrupted');
/** A value as it was parsed: JavaScript writes -0 as 0. */
const json = fc
  .jsonValue({ maxDepth: 2, stringUnit: 'binary' })
  .map((value) => JSON.parse(JSON.stringify(value)));

const textPart: fc.Arbitrary<TextPart> = fc.record({ type: fc.constant('text'), text });
const reasoningPart: fc.Arbitrary<ReasoningPart> = fc.record(
  { type: fc.constant('reasoning'), text, signature: text },
  { requiredKeys: ['type', 'text'] },
);
const callPart: fc.Arbitrary<ToolCallPart> = fc.record({
  type: fc.constant('tool-call'),
  toolCallId: text,
  name: text,
  arguments: text,
});
const resultPart: fc.Arbitrary<ToolResultPart> = fc.record({
  type: fc.constant('tool-result'),
  toolCallId: text,
  name: text,
  status,
  text,
});
const usage: fc.Arbitrary<Usage> = fc.record({
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count,
  reasoningTokens: count,
  estimated: fc.boolean(),
});

const base = {
  id: fc.constant(messageId(1)),
  agentName: fc.oneof(fc.constant(LEAD), name),
  turnIndex: fc.nat(),
  step: fc.nat(),
  tokens: fc.nat(),
  createdAtMs: count,
};
const BASE_KEYS = ['id', 'agentName', 'turnIndex', 'step', 'tokens', 'createdAtMs', 'role', 'parts'] as const;

/** Of any role and shape; all have the same id. */
export const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    ...base,
    role: fc.constant('system' as const),
    parts: fc.array(textPart, { maxLength: 3 }),
  }),
  fc.record(
    {
      ...base,
      role: fc.constant('user' as const),
      parts: fc.array(textPart, { maxLength: 3 }),
      kind: fc.constantFrom('nudge' as const, 'summary' as const),
    },
    { requiredKeys: [...BASE_KEYS] },
  ),
  fc.record(
    {
      ...base,
      role: fc.constant('assistant' as const),
      parts: fc.array(fc.oneof(textPart, reasoningPart, callPart), { maxLength: 6 }),
      ending: fc.constantFrom(
        'stop' as const,
        'tool-calls' as const,
        'length' as const,
        'cancelled' as const,
      ),
      raw: json,
    },
    { requiredKeys: [...BASE_KEYS, 'ending'] },
  ),
  fc.record(
    {
      ...base,
      role: fc.constant('tool' as const),
      parts: fc.tuple(resultPart),
      fullOutput: fc.record({ sha256: fc.string(), chars: count }),
    },
    { requiredKeys: [...BASE_KEYS] },
  ),
);

const task: fc.Arbitrary<Task> = fc.record({
  id: text,
  content: text,
  status: fc.constantFrom('pending' as const, 'in_progress' as const, 'completed' as const),
  blockedBy: fc.array(text, { maxLength: 2 }),
});

const envelope = {
  turnId: fc.option(name),
  agentName: fc.oneof(fc.constant(LEAD), name),
  step: fc.nat(),
  atMs: count,
  seq: fc.constant(0),
};
const ENVELOPE_KEYS = ['turnId', 'agentName', 'step', 'atMs', 'seq', 'type'] as const;

const laterEvent: fc.Arbitrary<TurnEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      { ...envelope, type: fc.constant('message' as const), message: anyMessage, usage },
      { requiredKeys: [...ENVELOPE_KEYS, 'message'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...envelope,
      type: fc.constant('tool-result' as const),
      toolCallId: text,
      name: text,
      status,
      elapsedMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      truncated: fc.boolean(),
      message: anyMessage,
    }),
  },
  fc.record({
    ...envelope,
    type: fc.constant('tool-call' as const),
    toolCallId: text,
    name: text,
    arguments: json,
  }),
  fc.record({ ...envelope, type: fc.constant('tasks' as const), tasks: fc.array(task, { maxLength: 3 }) }),
  fc.record({ ...envelope, type: fc.constant('session-updated' as const), title: text }),
  fc.record(
    {
      ...envelope,
      type: fc.constant('session' as const),
      title: text,
      model: text,
      provider: text,
      resumed: fc.boolean(),
      enableThinking: fc.boolean(),
      note: text,
      turnIndex: fc.nat(),
      maxSteps: fc.nat(),
      permissionMode: fc.constant('plan' as const),
      language: fc.constantFrom('zh' as const, 'en' as const),
      toolTokens: fc.nat(),
      pollTools: fc.array(name, { maxLength: 2 }),
      writeTools: fc.array(name, { maxLength: 2 }),
      canPlan: fc.boolean(),
    },
    {
      requiredKeys: [
        ...ENVELOPE_KEYS,
        'title',
        'model',
        'provider',
        'resumed',
        'enableThinking',
        'turnIndex',
        'maxSteps',
        'permissionMode',
        'language',
        'toolTokens',
        'pollTools',
        'writeTools',
        'canPlan',
      ],
    },
  ),
  fc.record({
    ...envelope,
    type: fc.constant('error' as const),
    kind: text,
    message: text,
    retryable: fc.boolean(),
  }),
  fc.record(
    {
      ...envelope,
      type: fc.constant('done' as const),
      status: fc.constant('failed' as const),
      messageId: name,
    },
    { requiredKeys: [...ENVELOPE_KEYS, 'status'] },
  ),
  fc.record({ ...envelope, type: fc.constant('cancel-requested' as const) }),
);

const firstEvent: fc.Arbitrary<TurnEvent> = fc.record({
  ...envelope,
  type: fc.constant('session-created' as const),
  title: text,
  model: fc.option(text, { nil: null }),
  metadata: fc.dictionary(text, json, { maxKeys: 3 }),
});

/** A whole log, numbered; no turn engine would write it, and every store must keep it. */
export const anyLog: fc.Arbitrary<readonly TurnEvent[]> = fc
  .tuple(firstEvent, fc.array(laterEvent, { maxLength: 12 }))
  .map(([first, later]) => {
    let ordinal = 0;
    // The copy has plain objects alone, as JSON gives them back.
    return structuredClone([first, ...later]).map((event, index): TurnEvent => {
      const seq = index + 1;
      if (event.type !== 'message' && event.type !== 'tool-result') return { ...event, seq };
      ordinal += 1;
      return { ...event, seq, message: { ...event.message, id: messageId(ordinal) } };
    });
  });
