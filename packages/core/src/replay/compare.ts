/** Two policies side by side, over the same recordings. */
import { recallRate, survivalRate, type Totals } from './totals.ts';

export type Comparison = {
  readonly metric: string;
  readonly ours: number;
  readonly against: number;
  /** Which of the two is better; `same` where they are equal. */
  readonly better: 'ours' | 'against' | 'same';
};

type Metric = {
  readonly metric: string;
  readonly of: (totals: Totals) => number;
  readonly wanted: 'more' | 'less';
};

const METRICS: readonly Metric[] = [
  { metric: 'survival', of: ({ survival }) => survivalRate(survival), wanted: 'more' },
  { metric: 'survival_with_recall', of: ({ survival }) => recallRate(survival), wanted: 'more' },
  { metric: 'steps_with_miss', of: (totals) => totals.stepsWithMiss, wanted: 'less' },
  { metric: 'billed', of: (totals) => totals.billed, wanted: 'less' },
  { metric: 'tokens_sent', of: (totals) => totals.tokensSent, wanted: 'less' },
  {
    metric: 'cached_share',
    of: ({ tokensSent, tokensCached }) => (tokensSent === 0 ? 1 : tokensCached / tokensSent),
    wanted: 'more',
  },
  { metric: 'compactions', of: (totals) => totals.compactions, wanted: 'less' },
  { metric: 'violations', of: (totals) => totals.violations, wanted: 'less' },
  { metric: 'steps_over_limit', of: (totals) => totals.stepsOverLimit, wanted: 'less' },
  { metric: 'steps_without_task', of: (totals) => totals.stepsWithoutTask, wanted: 'less' },
];

export function compareTotals(ours: Totals, against: Totals): readonly Comparison[] {
  return METRICS.map(({ metric, of, wanted }) => {
    const a = of(ours);
    const b = of(against);
    const better = a === b ? 'same' : a > b === (wanted === 'more') ? 'ours' : 'against';
    return { metric, ours: a, against: b, better };
  });
}
