/** The engine's own time for a step, by length of the history: flat is the aim (quality.md 3, 5). */
import { createInMemoryStore } from '@astroresearch/runtime';
import { benchAgent, runTurn } from '../bench-agent.mjs';
import { storeHistory } from '../history.mjs';
import { median, round } from '../measure.mjs';

export const title = 'Engine overhead of a step (instant model, one tool call a step, in-memory store)';
const STEPS = 50;
const TURNS = 9;
const LENGTHS = [100, 1_000, 10_000];

export async function run() {
  const rows = [];
  for (const messages of LENGTHS) {
    const store = createInMemoryStore();
    const { agent } = benchAgent({ steps: STEPS, store });
    await storeHistory(store, 'bench', messages);
    await runTurn(agent, 'bench');
    const times = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const began = performance.now();
      await runTurn(agent, 'bench');
      times.push((performance.now() - began) / (STEPS + 1));
    }
    const msPerStep = median(times);
    rows.push({
      messages,
      'ms a step': round(msPerStep),
      'ratio to 100': round(msPerStep / (rows[0]?.exact ?? msPerStep), 2),
      exact: msPerStep,
    });
  }
  return rows.map(({ exact: _, ...row }) => row);
}
