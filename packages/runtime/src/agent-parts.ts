/** What an agent is made of: every port, the profile, and the settings. Composition roots fill it in. */
import type { Bilingual, LanguageSetting, PermissionMode, Settings, TokenCounter } from '@astroresearch/core';
import type { LanguageModel } from './llm/language-model.ts';
import type { OutputStore } from './outputs/output-store.ts';
import type { Clock, Ids } from './ports.ts';
import type { Store } from './store/store.ts';
import type { ToolLimits } from './tools/run-tool.ts';
import type { Tool } from './tools/tool.ts';
import type { WorkspaceFiles } from './tools/workspace-files.ts';

/** What makes this agent what it is: who it is and how it works. */
export type Profile = {
  readonly identity: Bilingual;
  readonly principles: Bilingual;
};

export type AgentParts = {
  readonly store: Store;
  readonly model: LanguageModel;
  readonly profile: Profile;
  readonly tools: readonly Tool[];
  /** Active skills and the newest memories, read when a session's prompt is assembled. */
  readonly skills: () => Promise<readonly { readonly name: string; readonly description: string }[]>;
  readonly memories: () => Promise<readonly { readonly name: string; readonly content: string }[]>;
  readonly files: WorkspaceFiles;
  readonly outputs: OutputStore;
  readonly settings: Settings;
  readonly toolLimits: ToolLimits;
  readonly language: LanguageSetting;
  readonly permissionMode: PermissionMode;
  readonly countTokens: TokenCounter;
  /** Keys and tokens: no export shows them. */
  readonly secrets?: readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
  /** For what nobody is waiting for: a turn whose log could not be written, a lease that could not be given back. */
  readonly reportFault: (what: string, error: unknown) => void;
};
