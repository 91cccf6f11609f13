/** Runs one call to exactly one outcome: result, error, timeout or cancel. Never rejects, never waits for ever. */
import { type FileFact, type ToolStatus, unfinishedCallText } from '@astroresearch/core';
import { failedText, noOutputText, noTextReturnedText, timedOutText } from './result-texts.ts';
import { cleanText } from './sanitise.ts';
import { type Tool, type ToolContext, ToolError, type ToolFact, type ToolOutput } from './tool.ts';

export type ToolLimits = {
  /** For tools that name no timeout of their own. */
  readonly timeoutMs: number;
  /** Longest text that reaches the model, characters. */
  readonly maxOutputChars: number;
};

export type ToolOutcome = {
  readonly status: ToolStatus;
  /** The whole text, clean, not cut; never empty. */
  readonly output: string;
  readonly elapsedMs: number;
  readonly facts: readonly ToolFact[];
  readonly file?: FileFact;
  readonly unchanged?: true;
};

/** How long a tool that was told to stop may take to do so; then nobody waits for it any more. */
export const STOP_GRACE_MS = 2000;

type Ending =
  | { readonly kind: 'returned'; readonly value: ToolOutput }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'stopped'; readonly why: 'cancelled' | 'timeout' };

/**
 * `context.signal` cancels. The tool sees a signal that also aborts at its timeout. What a tool gives after it was
 * told to stop is dropped: its result already says that the outcome is not known.
 */
export async function runTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  limits: ToolLimits,
): Promise<ToolOutcome> {
  const { clock } = context;
  const timeoutMs = tool.timeoutMs ?? limits.timeoutMs;
  const startedMs = clock.monotonicMs();
  const ending = await runToEnd(tool, input, context, timeoutMs);
  const elapsedMs = Math.max(0, Math.round(clock.monotonicMs() - startedMs));
  return { ...describe(ending, tool, timeoutMs, context), elapsedMs };
}

function runToEnd(tool: Tool, input: unknown, context: ToolContext, timeoutMs: number): Promise<Ending> {
  const { clock, signal: cancel } = context;
  if (cancel.aborted) return Promise.resolve({ kind: 'stopped', why: 'cancelled' });
  return new Promise((resolve) => {
    const abort = new AbortController();
    let stopped: Ending | null = null;
    let takeBackTimer = () => {};
    /** The promise takes the first ending; whatever settles later changes nothing. */
    const end = (ending: Ending) => {
      takeBackTimer();
      cancel.removeEventListener('abort', onCancel);
      resolve(stopped ?? ending);
    };
    const stop = (why: 'cancelled' | 'timeout') => {
      if (stopped !== null) return;
      const ending: Ending = { kind: 'stopped', why };
      stopped = ending;
      takeBackTimer();
      takeBackTimer = clock.after(STOP_GRACE_MS, () => end(ending));
      abort.abort(new Error(why));
    };
    const onCancel = () => stop('cancelled');
    cancel.addEventListener('abort', onCancel);
    if (Number.isFinite(timeoutMs)) takeBackTimer = clock.after(timeoutMs, () => stop('timeout'));
    new Promise<ToolOutput>((settle) =>
      settle(tool.execute(input, { ...context, signal: abort.signal })),
    ).then(
      (value) => end({ kind: 'returned', value }),
      (error: unknown) => end({ kind: 'threw', error }),
    );
  });
}

function describe(
  ending: Ending,
  tool: Tool,
  timeoutMs: number,
  { language }: ToolContext,
): Omit<ToolOutcome, 'elapsedMs'> {
  const nothing: readonly ToolFact[] = [];
  switch (ending.kind) {
    case 'returned':
      try {
        return readOutput(ending.value, tool, language);
      } catch (error) {
        return { status: 'error', output: explain(error, tool, language), facts: nothing };
      }
    case 'threw':
      return { status: 'error', output: explain(ending.error, tool, language), facts: nothing };
    case 'stopped':
      if (ending.why === 'cancelled') {
        return { status: 'cancelled', output: unfinishedCallText('cancelled', language), facts: nothing };
      }
      return {
        status: 'error',
        output: timedOutText(tool.name, timeoutMs, tool.effect !== 'read', language),
        facts: nothing,
      };
    default:
      return ending satisfies never;
  }
}

/** A tool may come from anywhere: what it returned is looked at once, and not trusted to be what it should. */
function readOutput(
  value: ToolOutput,
  tool: Tool,
  language: ToolContext['language'],
): Omit<ToolOutcome, 'elapsedMs'> {
  const { text, failed, facts, file, unchanged } = value;
  if (typeof text !== 'string') {
    return {
      status: 'error',
      output: failedText(tool.name, noTextReturnedText(language), language),
      facts: [],
    };
  }
  const clean = cleanText(text);
  return {
    status: failed === true ? 'error' : 'ok',
    output: clean.trim() === '' ? noOutputText(language) : clean,
    facts: facts ?? [],
    ...(file === undefined || failed === true ? {} : { file }),
    ...(unchanged === true ? { unchanged } : {}),
  };
}

/** In words, whatever was thrown: even to look at a value can throw. */
function explain(thrown: unknown, tool: Tool, language: ToolContext['language']): string {
  try {
    if (thrown instanceof ToolError) return cleanText(thrown.texts[language]) || noOutputText(language);
    const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    return failedText(tool.name, cleanText(reason), language);
  } catch {
    return failedText(tool.name, typeof thrown, language);
  }
}
