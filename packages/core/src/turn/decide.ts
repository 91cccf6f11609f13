/** The heart: what to do next, asked as pure questions in a fixed order (architecture.md, One turn). */
import { isExhausted, triggerTokens } from '../budget/budget.ts';
import { isDiminishing } from '../budget/diminishing-returns.ts';
import { dueNudge, NUDGE_LEVELS } from '../budget/nudge.ts';
import { pinnedTokens } from '../compaction/pins.ts';
import { compactionDue } from '../compaction/trigger.ts';
import { findModel } from '../models/model-table.ts';
import { retryDelay } from '../recovery/backoff.ts';
import type { ModelFailure } from '../recovery/error-kind.ts';
import { type LadderState, nextRung, type OtherModel } from '../recovery/ladder.ts';
import { estimateContext } from '../tokens/context-size.ts';
import { isTodoReminderDue } from '../watch/todo-reminder.ts';
import type { Action, FinishAction } from './action.ts';
import { compactionLimits, requestLimit, requestLimitOf, withModel } from './compaction-limits.ts';
import type { ForcedReason, NudgeKind } from './event.ts';
import type { Settings } from './settings.ts';
import type { AgentState, RunningTurn } from './state.ts';

/** An answer, or null: the next question decides. */
type Question = (turn: RunningTurn, settings: Settings, agent: AgentState) => Action | null;

/** Asked from top to bottom before every step; the first answer counts. */
const QUESTIONS: readonly Question[] = [
  wasCancelled,
  hasFailed,
  awaitsReply,
  mustRunTools,
  hasQueued,
  hasAnswered,
  needsReminder,
  needsCompaction,
  isBeyondWindow,
];

export function decide(agent: AgentState, settings: Settings): Action {
  const { turn } = agent;
  if (turn.phase === 'resting') return { kind: 'rest' };
  for (const question of QUESTIONS) {
    const action = question(turn, settings, agent);
    if (action !== null) return action;
  }
  return { kind: 'call-model', step: turn.step + 1, forced: forcedReason(turn, settings) };
}

function wasCancelled(turn: RunningTurn): Action | null {
  return turn.cancelRequested ? finish(turn, 'cancelled') : null;
}

/**
 * An empty reply is asked for once more; what the request itself is to blame for goes up the ladder; a passing fault is
 * waited out, and after three overloads another model is asked. Every other failure ends the turn.
 */
function hasFailed(turn: RunningTurn, settings: Settings, agent: AgentState): Action | null {
  const { failure, failedAttempts: failed, waitedMs } = turn;
  if (failure === null) return null;
  if (failure.kind === 'empty_reply' && failed === 1) return callAgain(turn);
  const rung = turn.recovered.includes('surface')
    ? null
    : nextRung(ladderState(failure, turn, settings, agent));
  if (rung !== null) return { kind: 'recover', failure, rung };
  if (isOverloaded(failure) && failed >= OVERLOADS_BEFORE_SWITCH) {
    const way = wayToFallback(failure, turn, settings, agent);
    if (way !== null) return way;
  }
  const delayMs = retryDelay(failure, { failed, waitedMs, seed: turn.turnId }, settings.retry);
  return delayMs === null ? finish(turn, 'failed') : { kind: 'wait', failure, attempt: failed, delayMs };
}

/** In a row, of one model. */
const OVERLOADS_BEFORE_SWITCH = 3;

function isOverloaded({ kind }: ModelFailure): boolean {
  return kind === 'overloaded';
}

/**
 * The fallback is asked where the context fits its window; it is compacted for it first where that can be enough. Null:
 * there is none, or what must stay is too large for it, and the present model is waited for.
 */
function wayToFallback(
  failure: ModelFailure,
  turn: RunningTurn,
  settings: Settings,
  agent: AgentState,
): Action | null {
  const { fallbackModel: to } = settings;
  if (to === null || to === turn.model) return null;
  const limitTokens = requestLimitOf(to, agent, settings);
  if (estimateContext(agent.contextSize) <= limitTokens)
    return { kind: 'switch-model', to, reason: failure.kind };
  if (turn.compactedFor === to) return null;
  const pinned = pinnedTokens(agent.view.toArray(), compactionLimits(withModel(agent, to), settings));
  return pinned > limitTokens ? null : { kind: 'compact', trigger: 'auto', keep: null, model: to };
}

function ladderState(
  failure: ModelFailure,
  { recovered }: RunningTurn,
  settings: Settings,
  agent: AgentState,
): LadderState {
  return {
    failure,
    taken: recovered,
    requestTokens: Math.round(estimateContext(agent.contextSize)),
    hasUntrustedResults: agent.view.at(-1)?.role === 'tool',
    limitTokens: requestLimit(agent, settings),
    otherModel: otherModel(settings, agent),
  };
}

function otherModel(settings: Settings, agent: AgentState): OtherModel | null {
  const { fallbackModel: name, models } = settings;
  if (name === null || agent.turn.phase === 'resting' || name === agent.turn.model) return null;
  const isKnown =
    name === models.configured || (findModel(models.table, name)?.windowTokens ?? null) !== null;
  return { name, limitTokens: isKnown ? requestLimitOf(name, agent, settings) : null };
}

function awaitsReply(turn: RunningTurn): Action | null {
  return turn.awaitsReply ? callAgain(turn) : null;
}

function callAgain(turn: RunningTurn): Action {
  return { kind: 'call-model', step: turn.step, forced: turn.forced };
}

function mustRunTools(turn: RunningTurn): Action | null {
  return turn.openCalls.length === 0 ? null : { kind: 'run-tools', calls: turn.openCalls };
}

/** Where the turn may not go on after its answer, they begin the next one. */
function hasQueued(turn: RunningTurn, settings: Settings, { queue }: AgentState): Action | null {
  if (queue.length === 0 || (turn.answer !== null && forcedReason(turn, settings) !== null)) return null;
  return { kind: 'take-queued', texts: queue.map(({ text }) => text) };
}

/** Taken up so often after a crash without getting any further: it is what makes processes die. */
const MAX_RESUMES = 3;

/** Whether an interrupted turn is closed (`closeInterrupted`) rather than taken up once more. */
export function isPoisonous({ resumes }: RunningTurn): boolean {
  return resumes >= MAX_RESUMES;
}

/** The event with which an interrupted turn goes on. */
export function resumption({ awaitsReply, failure, cancelRequested }: RunningTurn): {
  readonly type: 'turn-resumed';
  readonly sendsAgain: boolean;
} {
  return { type: 'turn-resumed', sendsAgain: awaitsReply && failure === null && !cancelRequested };
}

function hasAnswered(turn: RunningTurn): Action | null {
  return turn.answer === null ? null : finish(turn, turn.forced ?? 'completed');
}

/** At most one reminder before each call: the one that ends the turn first, then the budget's, then the plan's. */
function needsReminder(turn: RunningTurn, settings: Settings): Action | null {
  if (turn.watch.remindedBeforeStep > turn.step) return null;
  const nudge = dueReminder(turn, settings);
  return nudge === null ? null : { kind: 'remind', nudge };
}

function dueReminder({ watch, spentTokens, canPlan }: RunningTurn, settings: Settings): NudgeKind | null {
  const given = NUDGE_LEVELS.filter((level) => watch.nudges.includes(level));
  const level = dueNudge(spentTokens, settings.budget, given);
  if (level === 'over_hard') return level;
  if (isDiminishing(watch.progress) && !watch.nudges.includes('diminishing')) return 'diminishing';
  if (level !== null) return level;
  return isTodoReminderDue(watch.planWatch, canPlan) ? 'todo' : null;
}

/** Asked on its own by a replay, which has the replies already. */
export function needsCompaction(
  turn: RunningTurn,
  settings: Settings,
  agent: AgentState,
): Extract<Action, { kind: 'compact' }> | null {
  const windowTokens = requestLimit(agent, settings);
  const trigger = compactionDue({
    contextTokens: estimateContext(agent.contextSize),
    triggerTokens: triggerTokens(settings.budget, windowTokens),
    hardTokens: Math.min(settings.budget.hardTokens, windowTokens),
    pinnedTokens: () => pinnedTokens(agent.view.toArray(), compactionLimits(agent, settings)),
    lastCompactedTokens: agent.lastCompactedTokens,
    manualRequested: agent.compactRequest !== null,
    compactedInThisStep: turn.watch.compactedBeforeStep > turn.step,
  });
  return trigger === null ? null : { kind: 'compact', trigger, keep: agent.compactRequest?.keep ?? null };
}

/** Compaction has done what it can and the model would still refuse: no call is sent, and the numbers are told. */
function isBeyondWindow(turn: RunningTurn, settings: Settings, agent: AgentState): Action | null {
  const windowTokens = requestLimit(agent, settings);
  const requestTokens = Math.round(estimateContext(agent.contextSize));
  if (requestTokens <= windowTokens) return null;
  const { fixedTokens, largestPinnedTokens } = agent.immovable;
  const parts = `${fixedTokens} of them system prompt and tools, ${largestPinnedTokens} the largest message that must stay`;
  const message = `the request is ${requestTokens} tokens, ${parts}; the model takes ${windowTokens}`;
  return finish(turn, 'failed', { kind: 'context_too_long', message });
}

/** Why the next call must give the answer; null: it may use tools. */
function forcedReason(turn: RunningTurn, settings: Settings): ForcedReason | null {
  if (isExhausted(turn.spentTokens, settings.budget)) return 'over_budget';
  if (turn.watch.nudges.includes('diminishing')) return 'diminishing';
  return turn.step >= turn.maxSteps ? 'max_steps' : null;
}

function finish(
  turn: RunningTurn,
  status: FinishAction['status'],
  failure: ModelFailure | null = turn.failure,
): FinishAction {
  return {
    kind: 'finish',
    status,
    close: { calls: turn.openCalls, status: 'cancelled' },
    failure: status === 'failed' ? failure : null,
    messageId: turn.answer?.id ?? null,
  };
}

/** How a turn is closed that cannot be taken up again: nothing is run again, every open call gets its one result. */
export function closeInterrupted(turn: RunningTurn): FinishAction {
  return {
    kind: 'finish',
    status: turn.cancelRequested ? 'cancelled' : 'failed',
    close: { calls: turn.openCalls, status: 'interrupted' },
    failure: null,
    messageId: turn.answer?.id ?? null,
  };
}
