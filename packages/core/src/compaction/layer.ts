/** One shape for every layer (context.md 5): the view and what it may become, in; edits, out. */

import type { Language } from '../message/language.ts';
import type { Message, MessageId } from '../message/message.ts';
import type { Task } from '../prompt/task.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import type { CompactionLimits } from './limits.ts';
import type { Pins } from './pins.ts';

/** What is the same for all layers of one compaction. */
export type CompactionContext = {
  readonly limits: CompactionLimits;
  readonly language: Language;
  readonly tasks: readonly Task[];
  readonly count: TokenCounter;
  /** Numbers for the engine's own messages. */
  readonly nextId: () => MessageId;
  readonly agentName: string;
  readonly turnIndex: number;
  readonly step: number;
  readonly nowMs: number;
};

export type LayerInput = CompactionContext & {
  readonly messages: readonly Message[];
  readonly pins: Pins;
  /** As it was stored: a message of the view may show only a part of it. */
  readonly originalOf: (message: Message) => Message;
  /** A model's narrative of what `auto` replaces; null: an extract of it is written instead. */
  readonly narrative: string | null;
};
