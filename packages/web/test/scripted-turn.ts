/** A turn written down as data: what the fake server sends, and the gates where it waits for the test. */

export type ScriptStep =
  /** A durable event. */
  | { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }
  /** Transient text, sent in small pieces. */
  | { readonly stream: 'text_delta' | 'thought'; readonly text: string }
  /** Waits until the test opens the gate of this name, or the turn is cancelled. */
  | { readonly gate: string };

export type Script = readonly ScriptStep[];

export function step(n: number, estimatedTokens: number): ScriptStep {
  return { event: 'step', fields: { n, estimated_tokens: estimatedTokens, spent_tokens: 0 } };
}

type Call = { readonly id: string; readonly name: string; readonly arguments: unknown };

/** The finished message: thought, text and the calls that it asks for. */
export function reply(content: string, thought = '', calls: readonly Call[] = []): ScriptStep {
  return {
    event: 'message',
    fields: {
      message_id: 'm0',
      role: 'assistant',
      content,
      ...(thought === '' ? {} : { thought }),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: JSON.stringify(call.arguments) },
            })),
          }),
      metadata: { ending: calls.length === 0 ? 'stop' : 'tool-calls' },
    },
  };
}

export function begin(call: Call): ScriptStep {
  return { event: 'tool_call', fields: { ...call, tool_call_id: call.id } };
}

export function result(call: Call, preview: string, elapsedMs: number, status = 'ok'): ScriptStep {
  return {
    event: 'tool_result',
    fields: {
      tool_call_id: call.id,
      name: call.name,
      status,
      output_preview: preview,
      ref: 'm7',
      elapsed_ms: elapsedMs,
      truncated: preview.endsWith('…'),
    },
  };
}

export function plan(
  ...tasks: readonly (readonly [content: string, status: string, ...blockedBy: string[]])[]
): ScriptStep {
  return {
    event: 'tasks',
    fields: {
      tasks: tasks.map(([content, status, ...blockedBy], index) => ({
        id: String(index + 1),
        content,
        status,
        blocked_by: blockedBy,
      })),
    },
  };
}

export function usage(promptTokens: number, completionTokens: number, steps: number): ScriptStep {
  return {
    event: 'usage',
    fields: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      cached_tokens: Math.round(promptTokens * 0.6),
      reasoning_tokens: Math.round(completionTokens * 0.3),
      total_tokens: promptTokens + completionTokens,
      spent_tokens: promptTokens + completionTokens,
      steps,
    },
  };
}

export const done: ScriptStep = { event: 'done', fields: { status: 'completed' } };
