/** What every astronomy tool returns: where it comes from and when, data or a failure, what was left out (astro.md, Tools). */
import type { ToolContext, ToolOutput } from '@astroresearch/runtime';

export type FailureKind = 'invalid_argument' | 'not_found' | 'ambiguous' | 'offline' | 'too_large';

type Truncated = { readonly shown: number; readonly total: number; readonly how_to_get_more: string };

type Extras = { readonly note?: string; readonly truncated?: Truncated };

/** No text for the model is longer than this, characters, whatever the settings allow. */
const MAX_RESULT_CHARS = 4000;

export function success(context: ToolContext, data: unknown, extras: Extras = {}): ToolOutput {
  const retrievedAt = new Date(context.clock.nowMs()).toISOString();
  return {
    text: JSON.stringify({ ok: true, source: 'offline', retrieved_at: retrievedAt, ...extras, data }),
  };
}

/** `message` says what is wrong, `suggestion` what to do about it; `details` are facts to choose from. */
export function failure(
  kind: FailureKind,
  message: string,
  suggestion: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolOutput {
  return {
    failed: true,
    text: JSON.stringify({ ok: false, error: { kind, message, suggestion, ...details } }),
  };
}

/** The output with as many of `count` items as fit; `render` builds it for the first `shown`. One item is always shown. */
export function withAsManyAsFit(
  context: ToolContext,
  count: number,
  render: (shown: number) => ToolOutput,
): ToolOutput {
  const limit = Math.min(context.maxOutputChars, MAX_RESULT_CHARS);
  for (let shown = count; shown > 1; shown--) {
    const output = render(shown);
    if (output.text.length < limit) return output;
  }
  return render(Math.min(1, count));
}
