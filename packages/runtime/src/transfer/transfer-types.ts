/** What goes in and out of a transfer. */
import type { Repair } from '@astroresearch/core';
import type { SessionRow } from '../store/store.ts';

export const EXPORT_FORMATS = ['jsonl', 'openai'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const IMPORT_FORMATS = ['jsonl', 'openai', 'claude-code', 'codex', 'pi'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** A line of the file that is not part of the session, and why. `line` is 1-based. */
export type SkippedLine = { readonly line: number; readonly reason: string };

export type ImportReport = {
  /** The one that was taken. */
  readonly format: ImportFormat;
  /** Stored in the new session. */
  readonly messages: number;
  readonly repairs: readonly Repair[];
  readonly skipped: readonly SkippedLine[];
};

export type Unreadable = { readonly kind: 'unreadable'; readonly line: number; readonly reason: string };

export type ImportOutcome =
  | { readonly kind: 'imported'; readonly session: SessionRow; readonly report: ImportReport }
  /** Nothing was stored. `line` is 1-based. */
  | Unreadable;

/** What a reader of another program's file gives: messages in the form of `parseTrajectory`. */
export type ReadConversation =
  | {
      readonly kind: 'conversation';
      readonly messages: readonly unknown[];
      readonly title: string | null;
      readonly skipped: readonly SkippedLine[];
    }
  | Unreadable;
