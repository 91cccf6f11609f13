/** `Metrics`: counters of a session or of many, folded from events. Additive: those of a log are the sum of its parts'. */
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { CompactionOutcome, CompactionTrigger } from '../compaction/outcome.ts';
import type { ToolStatus } from '../message/message.ts';
import { addToBill, type Bill, NO_BILL } from '../models/cost.ts';
import type { ErrorKind } from '../recovery/error-kind.ts';
import type { Usage } from '../tokens/usage.ts';
import type { DoneStatus, EventOf, NudgeKind, TurnEvent } from '../turn/event.ts';
import { sendsAgain } from '../turn/request-event.ts';
import type { LayerName } from '../view/edit.ts';
import { addNumbers } from './add-numbers.ts';

/** How often each; what never happened is left out. */
export type Counts<K extends string> = { readonly [key in K]?: number };

export type Metrics = {
  /** Turns that ended, by how. */
  readonly turns: Counts<DoneStatus>;
  readonly steps: number;
  /** Requests of turns: steps and retries; requests for summaries are in `summaries`. */
  readonly modelCalls: number;
  /** Calls that gave no usable reply. */
  readonly failedCalls: Counts<ErrorKind>;
  readonly retries: Counts<ErrorKind>;
  /** Tool → status → results. Names are as the model wrote them, also those of no tool. */
  readonly toolCalls: { readonly [tool: string]: Counts<ToolStatus> };
  readonly toolElapsedMs: { readonly [tool: string]: number };
  readonly tokens: {
    readonly prompt: number;
    readonly completion: number;
    /** Of `prompt`: read from the provider's cache. */
    readonly cached: number;
    /** Of `completion`. */
    readonly reasoning: number;
  };
  /** Replies whose usage was missing or not believed (context.md 3): our own count stands in `tokens`. */
  readonly estimatedUsages: number;
  /** Of every reply, failed call and summary with a usage. */
  readonly bill: Bill;
  /** `duplicate`: calls that the loop guard did not let run. */
  readonly nudges: Counts<NudgeKind>;
  /** Trigger → outcome → compactions. */
  readonly compactions: { readonly [trigger in CompactionTrigger]?: Counts<CompactionOutcome> };
  readonly layers: { readonly [layer in LayerName]?: LayerSums };
  /** By all compactions together, calibrated. */
  readonly tokensSaved: number;
  /** `failed`: asked for and not used. */
  readonly summaries: { readonly asked: number; readonly failed: number };
  /** Compactions by the state of the breaker after them. */
  readonly breakerAfter: Counts<CircuitBreaker['state']>;
  /** Requests that a provider refused because calls and results did not pair: our own fault, every one. */
  readonly violations: number;
};

export type LayerSums = { readonly runs: number; readonly edits: number; readonly tokensSaved: number };

export const EMPTY_METRICS: Metrics = {
  turns: {},
  steps: 0,
  modelCalls: 0,
  failedCalls: {},
  retries: {},
  toolCalls: {},
  toolElapsedMs: {},
  tokens: { prompt: 0, completion: 0, cached: 0, reasoning: 0 },
  estimatedUsages: 0,
  bill: NO_BILL,
  nudges: {},
  compactions: {},
  layers: {},
  tokensSaved: 0,
  summaries: { asked: 0, failed: 0 },
  breakerAfter: {},
  violations: 0,
};

export function foldMetrics(metrics: Metrics, event: TurnEvent): Metrics {
  const counted = countEvent(event);
  return counted === null ? metrics : addNumbers(metrics, counted);
}

export function sumMetrics(all: Iterable<Metrics>): Metrics {
  let sum = EMPTY_METRICS;
  for (const metrics of all) sum = addNumbers(sum, metrics);
  return sum;
}

/** A rung that was taken sends another request; a history that had to be repaired is our fault. */
function countRecovery(event: EventOf<'recovery'>): Partial<Metrics> | null {
  if (event.action === 'repair_history' && event.skipped === undefined) return { violations: 1 };
  return sendsAgain(event) ? { modelCalls: 1 } : null;
}

/** What one event counts; null: nothing. */
function countEvent(event: TurnEvent): Partial<Metrics> | null {
  switch (event.type) {
    case 'step':
      return { steps: 1, modelCalls: 1 };
    case 'retry':
      return { modelCalls: 1, retries: { [event.kind]: 1 } };
    case 'attempt-failed': {
      const { kind } = event.failure;
      return {
        failedCalls: { [kind]: 1 },
        ...(kind === 'tool_pairing' ? { violations: 1 } : {}),
        ...countUsage(event.usage, event.costUsd),
      };
    }
    case 'model-switch':
      return { modelCalls: 1 };
    case 'recovery':
      return countRecovery(event);
    case 'message':
      return countUsage(event.usage, event.costUsd);
    case 'tool-result':
      return {
        toolCalls: { [event.name]: { [event.status]: 1 } },
        toolElapsedMs: { [event.name]: event.elapsedMs },
      };
    case 'nudge':
      return { nudges: { [event.level]: 1 } };
    case 'compaction':
      return countCompaction(event);
    case 'done':
      return { turns: { [event.status]: 1 } };
    case 'session-created':
    case 'session-updated':
    case 'session-deleted':
    case 'session':
    case 'tool-call':
    case 'tasks':
    case 'cancel-requested':
    case 'compact-requested':
    case 'turn-resumed':
    case 'turn-suspended':
    case 'message-queued':
    case 'queue-taken':
    case 'usage':
    case 'error':
      return null;
    default:
      return event satisfies never;
  }
}

function countUsage(usage: Usage | undefined, costUsd: number | undefined): Partial<Metrics> {
  if (usage === undefined) return {};
  return {
    tokens: {
      prompt: usage.promptTokens,
      completion: usage.completionTokens,
      cached: usage.cachedTokens,
      reasoning: usage.reasoningTokens,
    },
    estimatedUsages: usage.estimated ? 1 : 0,
    bill: addToBill(NO_BILL, costUsd),
  };
}

/** Counters never go down: what a layer or a compaction added is no negative saving. */
function countCompaction(event: EventOf<'compaction'>): Partial<Metrics> {
  let layers: Metrics['layers'] = {};
  for (const { layer, edits, tokensBefore, tokensAfter } of event.layers) {
    const tokensSaved = Math.max(0, tokensBefore - tokensAfter);
    layers = addNumbers(layers, { [layer]: { runs: 1, edits, tokensSaved } });
  }
  return {
    ...countUsage(event.summaryUsage, event.summaryCostUsd),
    compactions: { [event.trigger]: { [event.outcome]: 1 } },
    layers,
    tokensSaved: Math.max(0, event.tokensBefore - event.tokensAfter),
    summaries: {
      asked: event.breakerEvents.includes('attempt') ? 1 : 0,
      failed: event.summaryFault === undefined ? 0 : 1,
    },
    breakerAfter: { [event.breaker]: 1 },
  };
}
