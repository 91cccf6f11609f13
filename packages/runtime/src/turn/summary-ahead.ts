/** Writes the next compaction's summary beside the running step, so that nobody waits for it (context.md 5). */
import {
  type AgentState,
  type CompactionLimits,
  compactionLimits,
  compress,
  estimateContext,
  isPreparationDue,
  isUnchanged,
  type Message,
  type MessageId,
  messageId,
  type PreparedSummary,
  type SummaryRange,
  summaryRange,
  type Usage,
} from '@astroresearch/core';
import type { CompactPlace } from './compact-place.ts';
import { type SummaryParts, summarise } from './summarise.ts';
import type { CompactParts, SummariesAhead } from './turn-parts.ts';

type Preparation = {
  readonly abort: AbortController;
  /** Null until it is known what is to be told of. */
  range: SummaryRange | null;
  done: boolean;
  /** Null: there is nothing to summarise, or it was stopped. Never rejects. */
  readonly summary: Promise<PreparedSummary | null>;
};

/** One an agent and session: at most one summary at a time, under way or ready. */
export class SummaryAhead implements SummariesAhead {
  #preparation: Preparation | null = null;
  #calls: Usage[] = [];

  /** Starts where a compaction is near, the model may be asked, and nothing is prepared for this view yet. */
  start(agent: AgentState, place: CompactPlace, parts: CompactParts): void {
    if (!parts.model.summarises || agent.breaker.state !== 'closed') return;
    const limits = compactionLimits(agent, parts.settings);
    const contextTokens = estimateContext(agent.contextSize);
    const { lastCompactedTokens } = agent;
    if (!isPreparationDue({ contextTokens, triggerTokens: limits.triggerTokens, lastCompactedTokens }))
      return;
    const view = [...agent.view];
    if (this.#isFor(view)) return;
    this.#drop();
    const abort = new AbortController();
    const signal = AbortSignal.any([parts.signal, abort.signal]);
    const noteUsage = (usage: Usage) => this.#calls.push(usage);
    const preparation: Preparation = {
      abort,
      range: null,
      done: false,
      summary: prepare(view, limits, place, { ...parts, signal, noteUsage }, (range) => {
        preparation.range = range;
      })
        .catch((error: unknown) => {
          if (!signal.aborted) parts.reportFault('the preparation of a summary', error);
          return null;
        })
        .finally(() => {
          preparation.done = true;
        }),
    };
    this.#preparation = preparation;
  }

  /** What was prepared, waited for if it is under way; null: nothing that is of use for this view. Used once. */
  async take(view: readonly Message[]): Promise<PreparedSummary | null> {
    const preparation = this.#preparation;
    if (preparation === null) return null;
    if (!this.#isFor(view)) {
      this.#drop();
      return null;
    }
    const summary = await preparation.summary;
    if (this.#preparation === preparation) this.#preparation = null;
    return summary;
  }

  takeCalls(): readonly Usage[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  /** At the end of a turn: what is still being written is given up, what is ready serves the next turn. */
  stop(): void {
    if (this.#preparation?.done === false) this.#drop();
  }

  #isFor(view: readonly Message[]): boolean {
    const range = this.#preparation?.range;
    return range !== undefined && range !== null && isUnchanged(range, view);
  }

  #drop(): void {
    this.#preparation?.abort.abort();
    this.#preparation = null;
  }
}

/** Runs a compaction up to the summary that it would ask for, and asks for that alone. */
async function prepare(
  view: readonly Message[],
  limits: CompactionLimits,
  place: CompactPlace,
  parts: SummaryParts & CompactParts,
  told: (range: SummaryRange) => void,
): Promise<PreparedSummary | null> {
  const messages = await messagesToSummarise(view, limits, place, parts);
  const range = messages === null ? null : summaryRange(view, messages);
  if (messages === null || range === null) return null;
  told(range);
  const { language, model } = place;
  const reply = await summarise({ messages, keep: null, language, model }, parts);
  return reply.kind === 'none' || parts.signal.aborted ? null : { range, reply };
}

async function messagesToSummarise(
  view: readonly Message[],
  limits: CompactionLimits,
  place: CompactPlace,
  parts: CompactParts,
): Promise<readonly Message[] | null> {
  const { log, agentName } = parts;
  const steps = compress(view, {
    limits,
    language: place.language,
    tasks: log.state.tasks,
    count: parts.countTokens,
    nextId: throwawayIds(),
    agentName,
    turnIndex: place.turnIndex,
    step: place.step,
    nowMs: parts.clock.nowMs(),
  });
  let next = steps.next();
  while (next.done !== true) {
    if (next.value.kind === 'summary') return next.value.messages;
    const originals = await log.readOriginals(agentName, next.value.ids);
    next = steps.next({ kind: 'originals', messages: originals });
  }
  return null;
}

/** For replacements that never leave the rehearsal: ids of the log are not used up. */
function throwawayIds(): () => MessageId {
  let next = Number.MAX_SAFE_INTEGER;
  return () => messageId(next--);
}
