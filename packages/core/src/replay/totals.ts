/** Sums over replayed steps: the columns of the tables in quality.md 1 and 2. */
import { addCost, billed, type Cost, DEFAULT_PRICES, NO_COST, type Prices } from './cost.ts';
import type { StepReport } from './replay.ts';
import { distanceClass } from './survival.ts';

export type SurvivalCount = { readonly needs: number; readonly inView: number; readonly withRecall: number };

export type Totals = Cost & {
  readonly steps: number;
  readonly billed: number;
  readonly compactions: number;
  /** Breaches of the rules of a request, and steps with any. */
  readonly violations: number;
  readonly invalidSteps: number;
  readonly stepsOverLimit: number;
  readonly stepsWithoutTask: number;
  readonly largestRequestTokens: number;
  readonly survival: SurvivalCount;
  /** By distance to the last earlier occurrence: ≤ 10, 11–50, 51–200, > 200 messages. */
  readonly survivalByDistance: readonly [SurvivalCount, SurvivalCount, SurvivalCount, SurvivalCount];
  readonly stepsWithMiss: number;
};

export type TotalsOptions = { readonly hardTokens: number; readonly prices?: Prices };

export function totalsOf(
  steps: Iterable<StepReport>,
  { hardTokens, prices = DEFAULT_PRICES }: TotalsOptions,
): Totals {
  let cost = NO_COST;
  const sums = {
    steps: 0,
    compactions: 0,
    violations: 0,
    invalidSteps: 0,
    stepsOverLimit: 0,
    stepsWithoutTask: 0,
    largestRequestTokens: 0,
    stepsWithMiss: 0,
  };
  const byDistance = [count(), count(), count(), count()] as const;
  const survival = count();
  for (const step of steps) {
    cost = addCost(cost, step.cost);
    sums.steps++;
    sums.compactions += step.compactions;
    sums.violations += step.breaches.length;
    if (step.breaches.length > 0) sums.invalidSteps++;
    if (step.cost.tokensSent > hardTokens) sums.stepsOverLimit++;
    if (!step.showsTask) sums.stepsWithoutTask++;
    sums.largestRequestTokens = Math.max(sums.largestRequestTokens, step.cost.tokensSent);
    if (step.needs.some(({ fate }) => fate !== 'view')) sums.stepsWithMiss++;
    for (const { distance, fate } of step.needs) {
      for (const counted of [survival, byDistance[distanceClass(distance)]]) {
        counted.needs++;
        if (fate === 'view') counted.inView++;
        if (fate !== 'lost') counted.withRecall++;
      }
    }
  }
  return { ...cost, ...sums, billed: billed(cost, prices), survival, survivalByDistance: byDistance };
}

function count(): { needs: number; inView: number; withRecall: number } {
  return { needs: 0, inView: 0, withRecall: 0 };
}

/** Between 0 and 1; 1 where nothing was needed. */
export function survivalRate({ needs, inView }: SurvivalCount): number {
  return needs === 0 ? 1 : inView / needs;
}

export function recallRate({ needs, withRecall }: SurvivalCount): number {
  return needs === 0 ? 1 : withRecall / needs;
}
