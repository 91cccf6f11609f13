/** Performs one compaction: drives core's coroutine, asks a model where it may, appends what came of it as one fact. */
import {
  type Action,
  type AgentState,
  type BreakerEvent,
  breakerAfter,
  type Compaction,
  type CompactionNeed,
  type CompactionReply,
  compactionLimits,
  compress,
  type Language,
  mayAttempt,
  type NewEvent,
  withRestored,
} from '@astroresearch/core';
import { type RestoredFiles, restoreFiles } from './restore-files.ts';
import { summarise } from './summarise.ts';
import type { CompactParts } from './turn-parts.ts';

type Compact = Extract<Action, { kind: 'compact' }>;

export type CompactPlace = {
  readonly turnId: string | null;
  readonly turnIndex: number;
  readonly step: number;
  readonly model: string;
  readonly language: Language;
};

/** Nothing is yielded where the user cancels meanwhile: then nothing has changed. */
export async function* compactContext(
  action: Compact,
  agent: AgentState,
  place: CompactPlace,
  parts: CompactParts,
): AsyncGenerator<readonly NewEvent[]> {
  const { clock, log, agentName } = parts;
  const nowMs = clock.nowMs();
  const mayAsk = action.trigger === 'manual' || mayAttempt(agent.breaker, nowMs);
  const limits = compactionLimits(agent, parts.settings);
  const steps = compress([...agent.view], {
    limits,
    language: place.language,
    tasks: log.state.tasks,
    count: parts.countTokens,
    nextId: () => log.nextMessageId(),
    agentName,
    turnIndex: place.turnIndex,
    step: place.step,
    nowMs,
  });
  let next = steps.next();
  while (next.done !== true) {
    const reply = await replyTo(next.value, mayAsk, action, place, parts);
    if (parts.signal.aborted) return;
    next = steps.next(reply);
  }
  const restored = await restoreFiles(next.value, agent, place, limits, parts);
  if (parts.signal.aborted) return;
  const compaction = restored === null ? next.value : withRestored(next.value, restored.message, limits);
  yield eventsOf(compaction, restored, action, agent, place, parts);
}

async function replyTo(
  need: CompactionNeed,
  mayAsk: boolean,
  action: Compact,
  place: CompactPlace,
  parts: CompactParts,
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

function eventsOf(
  compaction: Compaction,
  restored: RestoredFiles | null,
  action: Compact,
  agent: AgentState,
  place: CompactPlace,
  parts: CompactParts,
): readonly NewEvent[] {
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
    },
    ...compaction.appended.map((message) => ({ ...stamp, type: 'message' as const, message })),
  ];
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
