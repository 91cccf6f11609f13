/** What comes next, told as stories: given what happened, then this action. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, generatedSession, writeSession } from '../testing/arbitrary.ts';
import { closeInterrupted, decide } from './decide.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { agentOf, LEAD, NEW_SESSION } from './state.ts';

const text = (words = 'done', cancelBefore = false): Answer => ({ kind: 'text', text: words, cancelBefore });
const calls = (count = 1): Answer => ({
  kind: 'calls',
  calls: count,
  text: '',
  statuses: ['ok', 'ok', 'ok', 'ok'],
});

function story(answers: readonly Answer[], maxSteps = 8) {
  const { decisions } = writeSession([{ question: 'why?', maxSteps, answers }]);
  return decisions.map(({ action }) => {
    switch (action.kind) {
      case 'call-model':
        return `call ${action.step}${action.forced !== null ? ' without tools' : ''}`;
      case 'remind':
        return `remind ${action.nudge}`;
      case 'compact':
        return `compact ${action.trigger}`;
      case 'recover':
        return `recover ${action.rung.action}`;
      case 'switch-model':
        return `switch to ${action.to}`;
      case 'wait':
        return `wait ${action.attempt}`;
      case 'run-tools':
        return `run ${action.calls.length}`;
      case 'finish':
        return `finish ${action.status}, close ${action.close.calls.length}`;
      case 'take-queued':
        return `take ${action.texts.length}`;
      case 'rest':
        return 'rest';
      default:
        return action satisfies never;
    }
  });
}

describe('decide', () => {
  it('rests while no turn runs', () => {
    expect(decide(agentOf(NEW_SESSION, LEAD), DEFAULT_SETTINGS)).toEqual({ kind: 'rest' });
  });

  it('calls the model, runs its tools, and ends with the answer', () => {
    expect(story([calls(2), calls(2), text(), text(), text()])).toEqual([
      'call 1',
      'run 2',
      'call 2',
      'finish completed, close 0',
      'rest',
    ]);
  });

  it('asks once more, without tools, when the steps are used up', () => {
    expect(story([calls(), calls(), calls(), calls(), text(), text(), text()], 2)).toEqual([
      'call 1',
      'run 1',
      'call 2',
      'run 1',
      'call 3 without tools',
      'finish max_steps, close 0',
      'rest',
    ]);
  });

  it('asks again after one empty reply and gives up after two', () => {
    const empty: Answer = { kind: 'failure', failure: 'empty_reply' };
    expect(story([empty, text(), text(), text()])).toEqual([
      'call 1',
      'call 1',
      'finish completed, close 0',
      'rest',
    ]);
    expect(story([empty, empty, text(), text()])).toEqual([
      'call 1',
      'call 1',
      'finish failed, close 0',
      'rest',
    ]);
  });

  it('waits out a passing fault, calls again within the same step, and gives up in the end', () => {
    const lost: Answer = { kind: 'failure', failure: 'network' };
    expect(story([lost, text(), text(), text(), text()])).toEqual([
      'call 1',
      'wait 1',
      'call 1',
      'finish completed, close 0',
      'rest',
    ]);
    expect(story([lost, lost, lost, lost, lost, lost, lost, lost, lost])).toEqual([
      'call 1',
      'wait 1',
      'call 1',
      'wait 2',
      'call 1',
      'wait 3',
      'call 1',
      'finish failed, close 0',
      'rest',
    ]);
  });

  it('ends the turn at once on a failure that waiting cannot heal', () => {
    expect(story([{ kind: 'failure', failure: 'auth' }, text(), text()])).toEqual([
      'call 1',
      'finish failed, close 0',
      'rest',
    ]);
  });

  it('closes every open call when the user cancels', () => {
    expect(story([calls(3), { kind: 'cancel' }, text(), text()])).toEqual([
      'call 1',
      'run 3',
      'finish cancelled, close 3',
      'rest',
    ]);
  });

  it('keeps the text so far of a cancelled reply as the turn’s message', () => {
    const { decisions } = writeSession([
      { question: 'why?', maxSteps: 2, answers: [text('half', true), text()] },
    ]);
    expect(decisions.at(-1)?.action).toMatchObject({ kind: 'finish', status: 'cancelled', messageId: 'm3' });
  });

  it('comes to an end, whatever the world answers', () => {
    fc.assert(
      fc.property(generatedSession, ({ state, decisions }) => {
        expect(agentOf(state, LEAD).turn).toEqual({ phase: 'resting' });
        for (const { state: before, action } of decisions) {
          const { turn } = agentOf(before, LEAD);
          if (action.kind === 'call-model' && turn.phase === 'running') {
            expect(action.step).toBeLessThanOrEqual(turn.maxSteps + 1);
          }
        }
      }),
    );
  });
});

describe('closeInterrupted', () => {
  it('gives every open call of a dead turn its one result and fails the turn', () => {
    const { decisions } = writeSession([{ question: 'why?', maxSteps: 2, answers: [calls(2), calls(2)] }]);
    const running = agentOf((decisions[1] ?? { state: NEW_SESSION }).state, LEAD).turn;
    if (running.phase === 'resting') throw new Error('the turn must be running');
    const action = closeInterrupted(running);
    expect([action.status, action.close.status, action.close.calls.length]).toEqual([
      'failed',
      'interrupted',
      2,
    ]);
  });
});
