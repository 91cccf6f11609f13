/** `astroresearch replay FILE…`: what a context policy costs and keeps, on recorded sessions (api.md; quality.md 1, 2). */
import { writeFile } from 'node:fs/promises';
import {
  compareTotals,
  groupOracle,
  ledgerOracle,
  type Message,
  type ReplayPolicy,
  recallRate,
  replay,
  survivalRate,
  type TokenCounter,
  type Totals,
  totalsOf,
} from '@astroresearch/core';
import { loadO200k } from '@astroresearch/runtime';
import { EXIT } from '../exit-codes.ts';
import { readHistoryFile } from '../history-file.ts';
import { readTerminalConfig } from '../open.ts';
import type { Played, PlayedSession } from '../played.ts';
import { replayPage } from '../replay-page.ts';
import { type NamedPolicy, readPolicy } from '../replay-policy.ts';
import type { Terminal } from '../terminal.ts';
import { comparisonLines, totalsLines } from './replay-lines.ts';

export type ReplayOptions = {
  readonly policy?: string;
  readonly against?: string;
  readonly json?: boolean;
  readonly html?: string;
};

type Recording = { readonly file: string; readonly messages: readonly Message[]; readonly repairs: number };

export async function replayFiles(
  files: readonly string[],
  options: ReplayOptions,
  terminal: Terminal,
): Promise<number> {
  const read = readTerminalConfig(terminal);
  if (read === null) return EXIT.wrongUse;
  const { config, language } = read;
  const count = await loadO200k();
  const policies: NamedPolicy[] = [];
  for (const name of [options.policy ?? config.settings.compaction.policy, options.against]) {
    if (name === undefined) continue;
    const policy = await readPolicy(name, config.settings);
    if ('fault' in policy) {
      terminal.error(`${policy.fault}\n`);
      return EXIT.wrongUse;
    }
    policies.push(policy);
  }
  const recordings: Recording[] = [];
  for (const file of files) {
    const history = await readHistoryFile(file, config.language, count);
    if ('fault' in history) {
      terminal.error(`${history.fault}\n`);
      return EXIT.failed;
    }
    recordings.push({ file, messages: history.messages, repairs: history.repairs.length });
  }
  const [ours, against] = policies.map((policy) => play(recordings, policy, () => policy.build(count)));
  if (ours === undefined) return EXIT.wrongUse;
  const oracles = policies.slice(0, 1).flatMap((policy) => playOracles(recordings, policy, count));

  if (options.html !== undefined) {
    await writeFile(options.html, replayPage(ours, against ?? null, oracles, language));
  }
  if (options.json === true) {
    const wire = { ...playedToWire(ours), oracles: oracles.map(playedToWire) };
    const compared =
      against === undefined
        ? {}
        : { against: playedToWire(against), comparison: compareTotals(ours.total, against.total) };
    terminal.out(`${JSON.stringify({ ...wire, ...compared }, null, 2)}\n`);
  } else {
    terminal.out(
      `${totalsLines([ours, ...(against === undefined ? [] : [against]), ...oracles], language).join('\n')}\n`,
    );
    if (against !== undefined) terminal.out(`\n${comparisonLines(ours, against, language).join('\n')}\n`);
  }
  return EXIT.done;
}

function play(
  recordings: readonly Recording[],
  { name, settings }: NamedPolicy,
  policyFor: (recording: Recording) => ReplayPolicy,
): Played {
  const { hardTokens } = settings.budget;
  const sessions = recordings.map((recording): PlayedSession => {
    const { steps } = replay(recording.messages, policyFor(recording));
    return {
      file: recording.file,
      repairs: recording.repairs,
      steps,
      totals: totalsOf(steps, { hardTokens }),
    };
  });
  const total = totalsOf(
    sessions.flatMap(({ steps }) => steps),
    { hardTokens },
  );
  return { policy: name, sessions, total };
}

/** What choosing could reach with the future known, under the same trigger. */
function playOracles(
  recordings: readonly Recording[],
  policy: NamedPolicy,
  count: TokenCounter,
): readonly Played[] {
  const triggerTokens = policy.settings.budget.softTokens;
  return [groupOracle, ledgerOracle].map((oracle) => {
    const build = ({ messages }: Recording) =>
      oracle({ recording: messages, triggerTokens, targetShare: 0.5, count });
    const name = build({ file: '', messages: [], repairs: 0 }).name;
    return play(recordings, { ...policy, name }, build);
  });
}

function playedToWire({ policy, sessions, total }: Played) {
  return {
    policy,
    sessions: sessions.map(({ file, repairs, steps, totals }) => ({
      file,
      repairs,
      ...totalsToWire(totals),
      per_step: steps.map((step) => ({
        tokens_sent: step.cost.tokensSent,
        tokens_cached: step.cost.tokensCached,
        compactions: step.compactions,
        violations: step.breaches.length,
        needs: step.needs.length,
        survived: step.needs.filter(({ fate }) => fate === 'view').length,
      })),
    })),
    total: totalsToWire(total),
  };
}

function totalsToWire(totals: Totals) {
  const { survival } = totals;
  return {
    steps: totals.steps,
    tokens_sent: totals.tokensSent,
    tokens_cached: totals.tokensCached,
    billed: Math.round(totals.billed),
    compactions: totals.compactions,
    violations: totals.violations,
    steps_over_limit: totals.stepsOverLimit,
    steps_without_task: totals.stepsWithoutTask,
    needs: survival.needs,
    survival: survivalRate(survival),
    survival_with_recall: recallRate(survival),
    survival_by_distance: totals.survivalByDistance.map((part) => ({
      needs: part.needs,
      survival: survivalRate(part),
    })),
    steps_with_miss: totals.stepsWithMiss,
  };
}
