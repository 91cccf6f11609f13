/** The heart: what to do next, asked as pure questions in a fixed order (architecture.md, One turn). */
import type { Action, FinishAction } from './action.ts';
import type { AgentState, RunningTurn } from './state.ts';

/** An answer, or null: the next question decides. */
type Question = (turn: RunningTurn) => Action | null;

/** Asked from top to bottom before every step; the first answer counts. */
const QUESTIONS: readonly Question[] = [wasCancelled, hasFailed, mustRunTools, hasAnswered, isOutOfSteps];

export function decide(agent: AgentState): Action {
  const { turn } = agent;
  if (turn.phase === 'resting') return { kind: 'rest' };
  for (const question of QUESTIONS) {
    const action = question(turn);
    if (action !== null) return action;
  }
  return { kind: 'call-model', step: turn.step + 1, tools: 'offered', outOfSteps: false };
}

function wasCancelled(turn: RunningTurn): Action | null {
  return turn.cancelRequested ? finish(turn, 'cancelled') : null;
}

/** An empty reply is asked for once more; every other failure ends the turn. */
function hasFailed(turn: RunningTurn): Action | null {
  if (turn.failure === null) return null;
  if (turn.failure.kind === 'empty_reply' && turn.failedAttempts === 1) {
    return { kind: 'call-model', step: turn.step, tools: turn.stepTools, outOfSteps: false };
  }
  return finish(turn, 'failed');
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
