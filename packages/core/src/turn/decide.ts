/** The heart: what to do next, asked as pure questions in a fixed order (architecture.md, One turn). */
import { retryDelay } from '../recovery/backoff.ts';
import type { Action, FinishAction } from './action.ts';
import type { Settings } from './settings.ts';
import type { AgentState, RunningTurn } from './state.ts';

/** An answer, or null: the next question decides. */
type Question = (turn: RunningTurn, settings: Settings) => Action | null;

/** Asked from top to bottom before every step; the first answer counts. */
const QUESTIONS: readonly Question[] = [
  wasCancelled,
  hasFailed,
  awaitsReply,
  mustRunTools,
  hasAnswered,
  isOutOfSteps,
];

export function decide(agent: AgentState, settings: Settings): Action {
  const { turn } = agent;
  if (turn.phase === 'resting') return { kind: 'rest' };
  for (const question of QUESTIONS) {
    const action = question(turn, settings);
    if (action !== null) return action;
  }
  return { kind: 'call-model', step: turn.step + 1, tools: 'offered', outOfSteps: false };
}

function wasCancelled(turn: RunningTurn): Action | null {
  return turn.cancelRequested ? finish(turn, 'cancelled') : null;
}

/** An empty reply is asked for once more, a passing fault is waited out; every other failure ends the turn. */
function hasFailed(turn: RunningTurn, settings: Settings): Action | null {
  const { failure, failedAttempts: failed, waitedMs } = turn;
  if (failure === null) return null;
  if (failure.kind === 'empty_reply' && failed === 1) return callAgain(turn);
  const delayMs = retryDelay(failure, { failed, waitedMs, seed: turn.turnId }, settings.retry);
  return delayMs === null ? finish(turn, 'failed') : { kind: 'wait', failure, attempt: failed, delayMs };
}

function awaitsReply(turn: RunningTurn): Action | null {
  return turn.awaitsReply ? callAgain(turn) : null;
}

function callAgain(turn: RunningTurn): Action {
  return { kind: 'call-model', step: turn.step, tools: turn.stepTools, outOfSteps: false };
}

function mustRunTools(turn: RunningTurn): Action | null {
  return turn.openCalls.length === 0 ? null : { kind: 'run-tools', calls: turn.openCalls };
}

function hasAnswered(turn: RunningTurn): Action | null {
  if (turn.answer === null) return null;
  return finish(turn, turn.stepTools === 'none' ? 'max_steps' : 'completed');
}

function isOutOfSteps(turn: RunningTurn): Action | null {
  if (turn.step < turn.maxSteps) return null;
  return { kind: 'call-model', step: turn.step + 1, tools: 'none', outOfSteps: true };
}

function finish(turn: RunningTurn, status: FinishAction['status']): FinishAction {
  return {
    kind: 'finish',
    status,
    close: { calls: turn.openCalls, status: 'cancelled' },
    failure: status === 'failed' ? turn.failure : null,
    messageId: turn.answer?.id ?? null,
  };
}

/** How a turn is closed whose process died: nothing is run again, every open call gets its one result. */
export function closeInterrupted(turn: RunningTurn): FinishAction {
  return {
    kind: 'finish',
    status: turn.cancelRequested ? 'cancelled' : 'failed',
    close: { calls: turn.openCalls, status: 'interrupted' },
    failure: null,
    messageId: turn.answer?.id ?? null,
  };
}
