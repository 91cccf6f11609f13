/** What is asked of a recall and what comes back: originals by ref, hits of a query, or why there is nothing. */
import type { MessageId, Role, SyntheticKind } from '@astroresearch/core';
import type { OutputStore } from '../outputs/output-store.ts';
import type { Store } from '../store/store.ts';
import type { OriginalFault } from './original.ts';

/** Its own calls and results are never hits. */
export const RECALL_TOOL = 'recall_context';

export type RecallRequest = {
  /** Whose messages; `*`: everybody's. */
  readonly agentName: string;
  /** `m42` or `m4-m31`. With a query: where to search. */
  readonly ref?: string;
  readonly query?: string;
  /** By ref: characters from the start of the first message. By query: hits to pass over. */
  readonly offset?: number;
  /** The texts of all items together are at most so long, each counted with `itemChars` more. Characters. */
  readonly limitChars: number;
  /** What the caller writes around an item. */
  readonly itemChars: number;
  /** Ends a search that nobody waits for. */
  readonly signal?: AbortSignal;
};

/** A piece of a message's original text. */
export type RecalledItem = {
  readonly ref: MessageId;
  readonly role: Role;
  /** The tool of a result. */
  readonly name?: string;
  /** Set when the engine wrote the message. */
  readonly kind?: SyntheticKind;
  readonly text: string;
  /** Where the piece begins and where the next one would, characters; null: it reaches the end. */
  readonly offset: number;
  readonly nextOffset: number | null;
  readonly totalChars: number;
  /** The whole output cannot be read any more: this is from the stored text, which is cut. */
  readonly fault?: OriginalFault;
};

export type RecallRefusal =
  | { readonly reason: 'nothing-asked' }
  | { readonly reason: 'malformed-ref'; readonly ref: string }
  /** `nearest`: refs that are there, if any is near. */
  | { readonly reason: 'unknown-ref'; readonly ref: string; readonly nearest: readonly MessageId[] }
  | {
      readonly reason: 'past-end';
      readonly ref: string;
      readonly offset: number;
      readonly totalChars: number;
    };

export type RecallOutcome =
  /** The pages of a ref. `next` asks for what follows; following it to null gives every original whole. */
  | {
      readonly kind: 'found';
      readonly items: readonly RecalledItem[];
      readonly next: { readonly ref: string; readonly offset: number } | null;
    }
  /** What a query found, best first; `total` counts those that were ranked, not the thousandth. 0: nothing. */
  | {
      readonly kind: 'hits';
      readonly items: readonly RecalledItem[];
      readonly offset: number;
      readonly total: number;
      /** The offset of the next hits; null: these were the last. */
      readonly next: number | null;
      /** Long outputs too old to be searched within reason. */
      readonly unsearchedOutputs: number;
    }
  | ({ readonly kind: 'refused' } & RecallRefusal);

export type RecallParts = { readonly store: Store; readonly outputs: OutputStore };

export type Recall = (sessionId: string, request: RecallRequest) => Promise<RecallOutcome>;

/** A recall that can reach the messages of one agent of one session, and nothing else. */
export type OwnRecall = (request: Omit<RecallRequest, 'agentName'>) => Promise<RecallOutcome>;
