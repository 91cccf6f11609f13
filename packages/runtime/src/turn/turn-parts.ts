/** What the performers of a turn work with: ports, the session's log, and one turn's cancel signal. */
import type {
  AgentState,
  Message,
  MessageId,
  NewEvent,
  PreparedSummary,
  RequestCheck,
  Settings,
  TokenCounter,
  TransientEvent,
  Usage,
} from '@astroresearch/core';
import type { LanguageModel, ToolSchema } from '../llm/language-model.ts';
import type { SessionLog } from '../log/session-log.ts';
import type { OutputStore } from '../outputs/output-store.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Recall } from '../recall/recall-types.ts';
import type { Registry } from '../tools/registry.ts';
import type { ToolLimits } from '../tools/run-tool.ts';
import type { WorkspaceFiles } from '../tools/workspace-files.ts';
import type { CompactPlace } from './compact-place.ts';

export type TurnParts = {
  readonly log: SessionLog;
  readonly agentName: string;
  readonly model: LanguageModel;
  readonly registry: Registry;
  /** As offered to the model, in the session's language. */
  readonly toolSchemas: readonly ToolSchema[];
  readonly files: WorkspaceFiles;
  readonly outputs: OutputStore;
  readonly recall: Recall;
  readonly settings: Settings;
  readonly toolLimits: ToolLimits;
  /** Every request goes through it. */
  readonly check: RequestCheck;
  /** Of this session and agent; outlives the turn. */
  readonly ahead: SummariesAhead;
  readonly countTokens: TokenCounter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly reportFault: (what: string, error: unknown) => void;
  /** Aborts when the user cancels, the lease is lost, or the process stops and has waited for tools. */
  readonly signal: AbortSignal;
  /** Aborts when this process must leave the turn as it is: the lease is lost, or the process stops. */
  readonly leaving: AbortSignal;
};

/** The fields that every event of a step shares. */
export type EventStamp = Pick<NewEvent, 'turnId' | 'agentName' | 'step' | 'atMs'>;

export type Publish = (event: Pick<TransientEvent, 'type' | 'text'>) => void;
export type NextMessageId = () => MessageId;

/** What a compaction needs, within a turn or outside of one. */
export type CompactParts = Pick<
  TurnParts,
  | 'log'
  | 'agentName'
  | 'model'
  | 'settings'
  | 'countTokens'
  | 'clock'
  | 'signal'
  | 'files'
  | 'ahead'
  | 'reportFault'
>;

/** Where the summary of the next compaction is written ahead (`SummaryAhead`). */
export type SummariesAhead = {
  start(agent: AgentState, place: CompactPlace, parts: CompactParts): void;
  take(view: readonly Message[]): Promise<PreparedSummary | null>;
  /** What calls have taken since this was asked last, used or not. */
  takeCalls(): readonly Usage[];
};
