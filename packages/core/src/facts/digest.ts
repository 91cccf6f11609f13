/** What a replacement keeps of what it replaced, as data: a wider replacement of later takes it over (context.md 5, L2). */
import type { MessageId } from '../message/message.ts';

/** A literal of the replaced messages: a path, an identifier, a number with its unit … */
export type Fact = {
  readonly literal: string;
  /** Where it stood last. */
  readonly ref: MessageId;
  /** Weighted uses so far: by the user × 3, the assistant × 2, a tool × 1. */
  readonly uses: number;
};

export type Digest = {
  /** How many stored messages are covered. */
  readonly messages: number;
  /** A person's own words, oldest first. */
  readonly words: readonly { readonly ref: MessageId; readonly text: string }[];
  readonly facts: readonly Fact[];
  /** What a model wrote of it; null: an extract stands in the text. */
  readonly narrative: string | null;
};
