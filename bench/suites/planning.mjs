/** What deciding on a step costs, by length of the history: view, count, decision and rule check (quality.md 3). */
import {
  agentOf,
  compactionLimits,
  compress,
  DEFAULT_SETTINGS,
  decide,
  estimateTokens,
  evolve,
  LEAD,
  NEW_SESSION,
  RequestCheck,
  repairTexts,
} from '@astroresearch/core';
import { median, round } from '../measure.mjs';

export const title =
  'Planning of a step: fold one result, decide, check the request; then the first plan of all';
const LENGTHS = [100, 1_000, 10_000, 50_000];
const STEPS = 2_000;
const ROUNDS = 7;

/** Nothing is compacted while the steady step is timed; the first plan is made under the default limits. */
const ROOMY = {
  ...DEFAULT_SETTINGS,
  budget: { softTokens: 90_000_000, hardTokens: 95_000_000 },
  compaction: { ...DEFAULT_SETTINGS.compaction, windowTokens: 99_000_000 },
};

export async function run() {
  const rows = [];
  for (const messages of LENGTHS) {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) times.push(steadyStep(messages));
    const usPerStep = median(times);
    rows.push({
      messages,
      'µs a step': round(usPerStep, 1),
      'ratio to 100': round(usPerStep / (rows[0]?.exact ?? usPerStep), 2),
      'first plan, ms': round(firstPlan(messages), 1),
      exact: usPerStep,
    });
  }
  return rows.map(({ exact: _, ...row }) => row);
}

function steadyStep(messages) {
  let state = history(messages);
  const check = new RequestCheck(estimateTokens);
  const texts = repairTexts('en');
  check.toRequest(agentOf(state, LEAD).view, texts);
  const began = performance.now();
  for (let step = 0; step < STEPS; step++) {
    state = evolve(state, said(state, messages + step + 1));
    const agent = agentOf(state, LEAD);
    decide(agent, ROOMY);
    check.toRequest(agent.view, texts);
  }
  return ((performance.now() - began) * 1_000) / STEPS;
}

/** Everything at once: check the whole history, compact it. */
function firstPlan(messages) {
  const state = history(messages);
  const agent = agentOf(state, LEAD);
  const began = performance.now();
  new RequestCheck(estimateTokens).toRequest(agent.view, repairTexts('en'));
  let next = messages;
  const context = {
    limits: compactionLimits(agent, DEFAULT_SETTINGS),
    language: 'en',
    tasks: [],
    count: estimateTokens,
    nextId: () => `m${++next}`,
    agentName: LEAD,
    turnIndex: 1,
    step: 1,
    nowMs: 0,
  };
  const steps = compress([...agent.view], context);
  let step = steps.next();
  while (step.done !== true)
    step = steps.next(step.value.kind === 'summary' ? { kind: 'none' } : { kind: 'originals', messages: [] });
  return performance.now() - began;
}

function history(messages) {
  const stamp = { turnId: 't', agentName: LEAD, step: 0, atMs: 0, seq: 0 };
  let state = evolve(NEW_SESSION, {
    ...stamp,
    type: 'session',
    title: '',
    model: 'm',
    provider: 'p',
    resumed: false,
    enableThinking: false,
    turnIndex: 1,
    maxSteps: 1_000_000,
    permissionMode: 'default',
    language: 'en',
    toolTokens: 1_000,
    pollTools: [],
    writeTools: [],
    canPlan: false,
  });
  for (let ordinal = 1; ordinal <= messages; ordinal++) state = evolve(state, said(state, ordinal));
  return state;
}

/** Some 1.4 KB, as a result of a tool is. */
const ROWS = 'NGC 1068 data/catalog_12.fits 10.72 Mpc, flux 4.21e-12; '.repeat(25);

function said(_state, ordinal) {
  const text = `${ordinal}: ${ROWS}`;
  const parts = [{ type: 'text', text }];
  const base = {
    id: `m${ordinal}`,
    agentName: LEAD,
    turnIndex: 1,
    step: 1,
    parts,
    tokens: 420,
    createdAtMs: 0,
  };
  const message =
    ordinal === 1
      ? { ...base, role: 'system' }
      : { ...base, role: 'user', ...(ordinal % 2 === 0 ? {} : { kind: 'notification' }) };
  return { turnId: 't', agentName: LEAD, step: 0, atMs: 0, seq: ordinal, type: 'message', message };
}
