/** Performs one compaction: drives core's coroutine, asks a model where it may, appends what came of it as one fact. */
import {
  type Action,
  type AgentState,
  addUsage,
  type BreakerEvent,
  breakerAfter,
  type Compaction,
  type CompactionLimits,
  type CompactionNeed,
  type CompactionReply,
  compactionLimits,
  compress,
  estimateContext,
  type LayerName,
  mayAttempt,
  type NewEvent,
  type Usage,
  withModel,
  withRestored,
} from '@astroresearch/core';
import type { CompactPlace } from './compact-place.ts';
import { pricedBy } from './priced-by.ts';
import { type RestoredFiles, restoreFiles } from './restore-files.ts';
import { type SummaryParts, summarise } from './summarise.ts';
import type { CompactParts } from './turn-parts.ts';

type Compact = Extract<Action, { kind: 'compact' }>;

/** Nothing is yielded where the user cancels meanwhile: then nothing has changed. */
export async function* compactContext(
  action: Compact,
  agent: AgentState,
  place: CompactPlace,
  parts: CompactParts,
): AsyncGenerator<readonly NewEvent[]> {
  const limits = compactionLimits(withModel(agent, action.model ?? place.model), parts.settings);
  const calls: Usage[] = [];
  const asked = action.model === undefined ? place : { ...place, model: action.model };
  const compacted = await run({ action, agent, place: asked, limits, parts: withNote(parts, calls) });
  if (compacted === null) return;
  const restored = await restoreFiles(compacted, agent, place, limits, parts);
  if (parts.signal.aborted) return;
  const compaction = restored === null ? compacted : withRestored(compacted, restored.message, limits);
  yield eventsOf({ compaction, restored, action, agent, place: asked, calls, parts });
}

/** Only these layers, down to half of what was refused. Nothing is yielded where the user cancels meanwhile. */
export async function* compactForRecovery(
  layers: readonly LayerName[],
  agent: AgentState,
  place: CompactPlace,
  parts: CompactParts,
): AsyncGenerator<readonly NewEvent[]> {
  const action = { kind: 'compact', trigger: 'recovery', keep: null } as const;
  const usual = compactionLimits(agent, parts.settings);
  const halfTokens = Math.round(estimateContext(agent.contextSize) / 2);
  const limits = { ...usual, targetTokens: Math.min(halfTokens, usual.targetTokens), targetChars: null };
  const calls: Usage[] = [];
  const compaction = await run({ action, agent, place, limits, layers, parts: withNote(parts, calls) });
  if (compaction !== null) yield eventsOf({ compaction, restored: null, action, agent, place, calls, parts });
}

type Run = {
  readonly action: Compact;
  readonly agent: AgentState;
  readonly place: CompactPlace;
  readonly limits: CompactionLimits;
  readonly layers?: readonly LayerName[];
  readonly parts: SummaryParts & CompactParts;
};

function withNote(parts: CompactParts, calls: Usage[]): SummaryParts & CompactParts {
  return { ...parts, noteUsage: (usage) => calls.push(usage) };
}

/** Null: it was cancelled. */
async function run({ action, agent, place, limits, layers, parts }: Run): Promise<Compaction | null> {
  const { clock, log, agentName } = parts;
  const nowMs = clock.nowMs();
  const mayAsk = action.trigger === 'manual' || mayAttempt(agent.breaker, nowMs);
  const context = {
    limits,
    language: place.language,
    tasks: log.state.tasks,
    count: parts.countTokens,
    nextId: () => log.nextMessageId(),
    agentName,
    turnIndex: place.turnIndex,
    step: place.step,
    nowMs,
  };
  const view = [...agent.view];
  // What was asked for with a hint is written with that hint.
  const prepared = mayAsk && action.keep === null ? await parts.ahead.take(view) : null;
  for (const usage of parts.ahead.takeCalls()) parts.noteUsage?.(usage);
  if (parts.signal.aborted) return null;
  const steps = compress(view, context, { prepared, ...(layers === undefined ? {} : { layers }) });
  let next = steps.next();
  while (next.done !== true) {
    const reply = await replyTo(next.value, mayAsk, action, place, parts);
    if (parts.signal.aborted) return null;
    next = steps.next(reply);
  }
  return next.value;
}

async function replyTo(
  need: CompactionNeed,
  mayAsk: boolean,
  action: Compact,
  place: CompactPlace,
  parts: SummaryParts & CompactParts,
): Promise<CompactionReply> {
  switch (need.kind) {
    case 'originals':
      return { kind: 'originals', messages: await parts.log.readOriginals(parts.agentName, need.ids) };
    case 'summary': {
      if (!mayAsk) return { kind: 'none' };
      const { keep } = action;
      const { language, model } = place;
      return summarise({ messages: need.messages, keep, language, model }, parts);
    }
    default:
      return need satisfies never;
  }
}

type Done = Omit<Run, 'limits' | 'layers' | 'parts'> & {
  readonly compaction: Compaction;
  readonly restored: RestoredFiles | null;
  /** What the summary took, call by call. */
  readonly calls: readonly Usage[];
  readonly parts: CompactParts;
};

function eventsOf({ compaction, restored, action, agent, place, calls, parts }: Done): readonly NewEvent[] {
  const atMs = parts.clock.nowMs();
  const stamp = { turnId: place.turnId, agentName: parts.agentName, step: place.step, atMs };
  const breakerEvents = breakerEventsOf(compaction, action);
  const breaker = breakerEvents.reduce((state, event) => breakerAfter(state, event, atMs), agent.breaker);
  return [
    {
      ...stamp,
      type: 'compaction',
      trigger: action.trigger,
      outcome: compaction.outcome,
      layers: compaction.layers,
      messagesBefore: agent.view.length,
      messagesAfter: compaction.messages.length,
      tokensBefore: compaction.tokensBefore,
      tokensAfter: compaction.tokensAfter,
      success: compaction.success,
      breaker: breaker.state,
      breakerEvents,
      request: agent.requests + 1,
      edits: compaction.edits,
      fixedTokens: compaction.fixedTokens,
      largestPinnedTokens: compaction.largestPinnedTokens,
      ...(restored === null ? {} : { restored: restored.files, restoredBy: restored.message.id }),
      ...(compaction.summaryFault === null ? {} : { summaryFault: compaction.summaryFault }),
      ...(action.model === undefined ? {} : { forModel: action.model }),
      ...summaryCost(calls, place.model, parts),
    },
    ...compaction.appended.map((message) => ({ ...stamp, type: 'message' as const, message })),
  ];
}

function summaryCost(calls: readonly Usage[], model: string, { settings }: CompactParts) {
  const [first, ...more] = calls;
  if (first === undefined) return {};
  const summaryUsage = more.reduce(addUsage, first);
  const { costUsd } = pricedBy(model, summaryUsage, settings);
  return { summaryUsage, ...(costUsd === undefined ? {} : { summaryCostUsd: costUsd }) };
}

/** A refused summary is a failure even where an extract saved the compaction; too little to do is none. */
function breakerEventsOf(compaction: Compaction, { trigger }: Compact): readonly BreakerEvent[] {
  const asked: readonly BreakerEvent[] = compaction.summary === null ? [] : ['attempt'];
  const tried = compaction.outcome === 'compacted' || compaction.outcome === 'projected';
  if (compaction.summary === 'refused' || (tried && !compaction.success)) return [...asked, 'failure'];
  if (!tried) return compaction.summary === 'used' ? [...asked, 'success'] : asked;
  if (trigger === 'manual') return [...asked, 'manual_success'];
  return compaction.summary === 'used' ? [...asked, 'success'] : asked;
}
