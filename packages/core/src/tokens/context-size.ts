/** Size of the next request: the last believed usage, plus what came after it (context.md 3). */
import { isBelievable, NO_USAGE, type Usage } from './usage.ts';

export type ContextSize = {
  /** Our own uncalibrated count of all that the next request carries: tool schemas and every message of the view. */
  readonly countedTokens: number;
  /** The newest believed report, and our count of the same messages. */
  readonly anchor: { readonly reportedTokens: number; readonly countedTokens: number } | null;
  /** Reported ÷ counted for this model, learnt from each believed response. */
  readonly ratio: number;
  /** Responses whose usage was missing or not believed: shown in the metrics. */
  readonly disbelieved: number;
};

export const EMPTY_CONTEXT: ContextSize = { countedTokens: 0, anchor: null, ratio: 1, disbelieved: 0 };

/** How much a new ratio counts against the one so far: quick to learn, not thrown by one odd response. */
const LEARNING_RATE = 0.5;

export function addTokens(size: ContextSize, tokens: number): ContextSize {
  return { ...size, countedTokens: size.countedTokens + tokens };
}

/** Calibrated tokens of the next request. */
export function estimateContext(size: ContextSize): number {
  const { anchor, countedTokens, ratio } = size;
  if (anchor === null) return Math.round(countedTokens * ratio);
  return Math.round(anchor.reportedTokens + (countedTokens - anchor.countedTokens) * ratio);
}

/** What a response cost: the provider's figures where they can be believed, else our own count. */
export function settleUsage(size: ContextSize, reported: Usage | null, replyTokens: number): Usage {
  const promptTokens = estimateContext(size);
  if (reported !== null && isBelievable(reported, promptTokens)) return reported;
  return { ...NO_USAGE, promptTokens, completionTokens: replyTokens, estimated: true };
}

/** A response came: `size` is that of its request, `replyTokens` our count of the reply that joins the context. */
export function recordUsage(size: ContextSize, usage: Usage, replyTokens: number): ContextSize {
  const grown = addTokens(size, replyTokens);
  if (usage.estimated) return { ...grown, disbelieved: size.disbelieved + 1 };
  const seen = usage.promptTokens / Math.max(1, size.countedTokens);
  const ratio = size.anchor === null ? seen : size.ratio + LEARNING_RATE * (seen - size.ratio);
  return {
    countedTokens: grown.countedTokens,
    anchor: {
      reportedTokens: usage.promptTokens + usage.completionTokens,
      countedTokens: grown.countedTokens,
    },
    ratio,
    disbelieved: size.disbelieved,
  };
}
