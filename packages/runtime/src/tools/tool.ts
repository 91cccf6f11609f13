/** `defineTool`: a tool's name, input and effect, and what it does (runtime.md, Tools and the executor). */
import type { Bilingual, Effect, FileFact, Language, MessageId, Task } from '@astroresearch/core';
import type { z } from 'zod';
import type { Clock } from '../ports.ts';
import type { OwnRecall } from '../recall/recall-types.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** The executor alone builds this; no tool takes any of it in its constructor. */
export type ToolContext = {
  readonly sessionId: string;
  readonly agentName: string;
  readonly turnIndex: number;
  readonly step: number;
  readonly toolCallId: string;
  readonly language: Language;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The workspace folder; refuses every path that leaves it. */
  readonly files: WorkspaceFiles;
  /** The message of the agent's view that shows a file of this content whole; null: none does. */
  readonly shownWhole: (path: string, hash: string) => MessageId | null;
  /** The session's plan as it stands. */
  readonly tasks: readonly Task[];
  /** Originals of the agent's own messages in this session. */
  readonly recall: OwnRecall;
  /** Longest text that reaches the model, characters; a tool that can choose keeps below it. */
  readonly maxOutputChars: number;
};

/** Facts that a tool adds to the session's log together with its result. */
export type ToolFact =
  | { readonly type: 'tasks'; readonly tasks: readonly Task[] }
  /** A compaction before the next model call; `keep` is a hint for the summary. */
  | { readonly type: 'compact-requested'; readonly keep: string | null };

export type ToolOutput = {
  /** What the model reads. */
  readonly text: string;
  /** The tool did what it does and it failed: the result's status is `error`. */
  readonly failed?: boolean;
  readonly facts?: readonly ToolFact[];
  /** The file that was read or written. `whole`: the text shows all of it, if it is not cut. */
  readonly file?: FileFact;
  /** Nothing is new since the last time: the text only says so. */
  readonly unchanged?: boolean;
};

export type Tool<Input = unknown> = {
  /** snake_case. */
  readonly name: string;
  /** One line for the prompt's tool list, about 20 tokens. */
  readonly summary: Bilingual;
  /** For the tool's schema: when to use it, what comes back. */
  readonly description: Bilingual;
  /**
   * Property texts: `.meta({ description: 'English', zh: '中文' })`. `example` in it is shown when arguments are
   * wrong; neither `zh` nor `example` reaches the provider.
   */
  readonly input: z.ZodType<Input>;
  readonly effect: Effect;
  /** Touches only the session's own state: needs no permission. */
  readonly ownState: boolean;
  /** Asks how something stands: calling it again is right as long as its result changes. */
  readonly poll?: boolean;
  /** Left out: the configured one. `Infinity`: the tool has a limit of its own. */
  readonly timeoutMs?: number;
  execute(input: Input, context: ToolContext): Promise<ToolOutput>;
};

type ToolDefinition<Input> = Omit<Tool<Input>, 'effect' | 'ownState'> & {
  /** Left out: `effect`, the careful one. */
  readonly effect?: Effect;
  readonly ownState?: boolean;
};

/** Contract: `execute` may throw; the executor makes an error result of it. `ToolError` says what the model can do. */
export function defineTool<Input>(definition: ToolDefinition<Input>): Tool<Input> {
  return { effect: 'effect', ownState: false, ...definition };
}

/** An expected failure of a tool: its message goes to the model as it is, in the session's language where both are given. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly texts: Bilingual;
  constructor(message: string | Bilingual, options?: ErrorOptions) {
    const texts = typeof message === 'string' ? { zh: message, en: message } : message;
    super(texts.en, options);
    this.texts = texts;
  }
}
