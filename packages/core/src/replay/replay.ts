/** Plays a recorded session through a context policy, step by step, and judges each request (quality.md 1, 2). */
import { type Breach, brokenRules } from '../message/invariants.ts';
import { isFromPerson, type Message, textOf } from '../message/message.ts';
import { type Cost, cachedTokens, tokensOf } from './cost.ts';
import { type Need, needsOf } from './needs.ts';
import type { ReplayPolicy } from './policy.ts';
import { type Fate, SurvivalCheck } from './survival.ts';

export type StepReport = {
  /** Index of the recorded reply that the request was for. */
  readonly position: number;
  readonly messages: number;
  readonly cost: Cost;
  readonly compactions: number;
  readonly breaches: readonly Breach[];
  readonly needs: readonly (Pick<Need, 'literal' | 'distance'> & { readonly fate: Fate })[];
  /** The first words of a person, which set the task, stand in the request. */
  readonly showsTask: boolean;
};

export type ReplayReport = {
  readonly policy: string;
  readonly steps: readonly StepReport[];
};

/** One step for each recorded assistant message. */
export function replay(messages: readonly Message[], policy: ReplayPolicy): ReplayReport {
  const run = policy.start();
  const survival = new SurvivalCheck(messages, run.storedOrdinal);
  const task = messages.find(isFromPerson);
  let told = 0;
  let before: readonly Message[] = [];
  const steps = needsOf(messages).map(({ position, needs }): StepReport => {
    const { messages: view, ...made } = run.next(messages.slice(told, position));
    const fates = survival.fates(view, needs);
    const taskIsDue = task !== undefined && messages.indexOf(task) < position;
    const report: StepReport = {
      position,
      messages: view.length,
      cost: {
        tokensSent: tokensOf(view),
        tokensCached: cachedTokens(before, view),
        summariserInputTokens: made.summariserInputTokens,
        summariserOutputTokens: made.summariserOutputTokens,
      },
      compactions: made.compactions,
      breaches: brokenRules(view),
      needs: needs.map(({ literal, distance }, index) => ({
        literal,
        distance,
        fate: fates[index] ?? 'lost',
      })),
      showsTask: !taskIsDue || shows(view, textOf(task)),
    };
    told = position;
    before = view;
    return report;
  });
  return { policy: policy.name, steps };
}

function shows(view: readonly Message[], text: string): boolean {
  return view.some((message) => textOf(message).includes(text));
}
