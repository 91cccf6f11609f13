/** Every prefix of every recorded session, under both policies and every subset of layers (context.md 5; quality.md). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Breach,
  brokenRules,
  countMessage,
  DEFAULT_SETTINGS,
  enginePolicy,
  LAYER_NAMES,
  type LayerName,
  type Message,
  type Part,
  parseTrajectory,
  type ReplayPolicy,
  repairHistory,
  repairTexts,
  replay,
  type Settings,
  survivalRate,
  type TokenCounter,
  totalsOf,
} from '@astroresearch/core';
import { loadO200k } from '@astroresearch/runtime';
import { describe, expect, it } from 'vitest';

const FOLDER = path.resolve(process.env.TRAJECTORIES ?? '');

type Session = { readonly file: string; readonly messages: readonly Message[] };

async function readSessions(): Promise<{
  readonly sessions: readonly Session[];
  readonly count: TokenCounter;
}> {
  const real = await loadO200k();
  const known = new Map<string, number>();
  const count = (text: string) => {
    const tokens = known.get(text) ?? real(text);
    known.set(text, tokens);
    return tokens;
  };
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'));
  if (files.length === 0) throw new Error(`${FOLDER} holds no recorded sessions: set TRAJECTORIES`);
  const sessions = files.map((file) => {
    const parsed = parseTrajectory(readFileSync(path.join(FOLDER, file), 'utf8'), count);
    if (parsed.kind === 'unreadable') throw new Error(`${file}:${parsed.line}: ${parsed.reason}`);
    const weigh = (parts: readonly Part[]) => countMessage(parts as Message['parts'], count);
    return { file, messages: repairHistory(parsed.messages, repairTexts('en'), weigh).messages };
  });
  return { sessions, count };
}

function settingsFor(policy: 'balanced' | 'seed', softTokens: number, hardTokens: number): Settings {
  const charLimit = policy === 'seed' ? 16_000 : null;
  return {
    ...DEFAULT_SETTINGS,
    budget: { softTokens, hardTokens },
    compaction: { ...DEFAULT_SETTINGS.compaction, policy, charLimit },
  };
}

/** Of the requests before each recorded reply; null: all are valid. */
function firstBreach(messages: readonly Message[], policy: ReplayPolicy): Breach | null {
  const run = policy.start();
  let told = 0;
  for (const [position, { role }] of messages.entries()) {
    if (role !== 'assistant') continue;
    const [broken] = brokenRules(run.next(messages.slice(told, position)).messages);
    if (broken !== undefined) return broken;
    told = position;
  }
  return null;
}

function subsets(): readonly (readonly LayerName[])[] {
  return Array.from({ length: 2 ** LAYER_NAMES.length }, (_, bits) =>
    LAYER_NAMES.filter((_, index) => (bits >> index) % 2 === 1),
  );
}

describe('every prefix of every recorded session', () => {
  it.each([
    ['balanced', 32_000, 40_000],
    ['balanced', 8_000, 10_000],
    ['seed', 32_000, 40_000],
    ['seed', 8_000, 10_000],
  ] as const)('breaks no rule under %s at %i, whatever layers run', async (policy, soft, hard) => {
    const { sessions, count } = await readSessions();
    const settings = settingsFor(policy, soft, hard);
    for (const layers of subsets()) {
      for (const { file, messages } of sessions) {
        const broken = firstBreach(messages, enginePolicy({ name: policy, settings, count, layers }));
        if (broken !== null) expect.fail(`${file} with ${layers.join()}: ${JSON.stringify(broken)}`);
      }
    }
  });

  it('keeps at 32k what is used next, at the cost that quality.md sets', async () => {
    const { sessions, count } = await readSessions();
    const settings = settingsFor('balanced', 32_000, 40_000);
    const steps = sessions.flatMap(
      ({ messages }) => replay(messages, enginePolicy({ name: 'balanced', settings, count })).steps,
    );
    const totals = totalsOf(steps, { hardTokens: 40_000 });
    expect(survivalRate(totals.survival)).toBeGreaterThanOrEqual(0.985);
    expect(survivalRate(totals.survivalByDistance[3])).toBeGreaterThanOrEqual(0.9);
    expect(totals.survival.withRecall).toBe(totals.survival.needs);
    expect(totals.billed).toBeLessThanOrEqual(2_550_000);
    expect([totals.stepsOverLimit, totals.stepsWithoutTask, totals.violations]).toEqual([0, 0, 0]);
  });
});
