/** What `replay` prints for people: a table of policies, and which of two is better at what. */
import { compareTotals, type Language, recallRate, survivalRate, type Totals } from '@astroresearch/core';
import type { Played } from '../played.ts';
import { REPLAY_TEXTS, say } from '../texts.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const thousands = (tokens: number) => `${(tokens / 1_000).toFixed(1)} k`;

type Column = { readonly heading: keyof typeof REPLAY_TEXTS; readonly cell: (totals: Totals) => string };

const COLUMNS: readonly Column[] = [
  { heading: 'steps', cell: ({ steps }) => String(steps) },
  { heading: 'sent', cell: ({ tokensSent }) => thousands(tokensSent) },
  {
    heading: 'cached',
    cell: (totals) => percent(totals.tokensSent === 0 ? 1 : totals.tokensCached / totals.tokensSent),
  },
  { heading: 'billed', cell: ({ billed }) => thousands(billed) },
  { heading: 'compactions', cell: ({ compactions }) => String(compactions) },
  { heading: 'violations', cell: ({ violations }) => String(violations) },
  { heading: 'over', cell: ({ stepsOverLimit }) => String(stepsOverLimit) },
  { heading: 'survival', cell: ({ survival }) => percent(survivalRate(survival)) },
  { heading: 'recall', cell: ({ survival }) => percent(recallRate(survival)) },
  {
    heading: 'distance',
    cell: ({ survivalByDistance }) =>
      survivalByDistance.map((part) => Math.round(100 * survivalRate(part))).join('/'),
  },
  { heading: 'missing', cell: ({ stepsWithMiss }) => String(stepsWithMiss) },
];

export function totalsLines(played: readonly Played[], language: Language): readonly string[] {
  const rows = [
    [
      say(REPLAY_TEXTS.policy, language),
      ...COLUMNS.map(({ heading }) => say(REPLAY_TEXTS[heading], language)),
    ],
    ...played.map(({ policy, total }) => [policy, ...COLUMNS.map(({ cell }) => cell(total))]),
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0, column > 0))
      .join('  ')
      .trimEnd(),
  );
}

export function comparisonLines(ours: Played, against: Played, language: Language): readonly string[] {
  return compareTotals(ours.total, against.total).map(({ metric, ours: a, against: b, better }) => {
    const winner = { ours: ours.policy, against: against.policy, same: '=' }[better];
    return `${metric.padEnd(22)} ${figure(a)} : ${figure(b)}  ${say(REPLAY_TEXTS.better, language)}: ${winner}`;
  });
}

function figure(value: number): string {
  return Number.isInteger(value) ? String(value) : value <= 1 ? value.toFixed(4) : value.toFixed(0);
}

/** A Han character takes two places in a terminal. */
function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (/[\u2E80-\uFFEF]/.test(character) ? 2 : 1), 0);
}

function padded(text: string, width: number, alignRight: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return alignRight ? blanks + text : text + blanks;
}
