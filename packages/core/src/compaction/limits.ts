/** How small a compaction must make the view, and how the view is measured (context.md 5, Target). */
import type { Message, Part } from '../message/message.ts';

export type CompactionLimits = {
  /** Compaction is due above this. */
  readonly triggerTokens: number;
  /** Layers run until the request is at or below this. */
  readonly targetTokens: number;
  /** Second gate: characters of all messages. Null: tokens alone decide. */
  readonly targetChars: number | null;
  /** Above this the view is projected: the turn could not go on. */
  readonly hardTokens: number;
  /** What the model takes at most, output reserve subtracted. */
  readonly windowTokens: number;
  /** Between the fixed part (system prompt, tool schemas) and the trigger. */
  readonly roomTokens: number;
  readonly maxMessages: number;
  /** Tool schemas, calibrated: part of every request, message of none. */
  readonly toolTokens: number;
  /** Calibrated tokens per counted token. */
  readonly scale: number;
};

/** The share of the room above the fixed part that a compaction leaves filled (policy `balanced`). */
export const TARGET_SHARE = 0.5;
/** Of the target, for a person's own words. */
export const WORDS_SHARE = 0.2;
export const HEAD_KEEP = 3;
/** A character limit is a trigger; the target is this much of it. */
export const CHAR_TARGET_FACTOR = 1.5;

/** What cannot go (system prompt, tool schemas), and a share of the room between that and the trigger. */
export function balancedTarget(triggerTokens: number, fixedTokens: number): number {
  return Math.round(fixedTokens + TARGET_SHARE * Math.max(0, triggerTokens - fixedTokens));
}

/** Calibrated tokens of a request with these messages. */
export function sizeOf(
  messages: Iterable<Message>,
  limits: Pick<CompactionLimits, 'toolTokens' | 'scale'>,
): number {
  let counted = 0;
  for (const message of messages) counted += message.tokens;
  return Math.round(limits.toolTokens + counted * limits.scale);
}

/** Characters of everything in the messages that a model reads: texts, reasoning, names and arguments. */
export function charsOf(messages: Iterable<Message>): number {
  let chars = 0;
  for (const message of messages) {
    for (const part of message.parts as readonly Part[]) {
      chars += part.type === 'tool-call' ? part.name.length + part.arguments.length : part.text.length;
    }
  }
  return chars;
}

export function isWithinTarget(messages: readonly Message[], limits: CompactionLimits): boolean {
  if (sizeOf(messages, limits) > limits.targetTokens) return false;
  return limits.targetChars === null || charsOf(messages) <= limits.targetChars;
}
