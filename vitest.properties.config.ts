import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * The invariants of the context engine, each over 5 000 generated histories (`PROPERTY_RUNS`). The seed is printed;
 * `PROPERTY_SEED=… npm run test:properties` repeats a run.
 */
const runs = process.env.PROPERTY_RUNS ?? '5000';
const seed = process.env.PROPERTY_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`properties: ${runs} runs each, PROPERTY_SEED=${seed}`);

export default mergeConfig(
  base,
  defineConfig({
    test: {
      env: { PROPERTY_RUNS: runs, PROPERTY_SEED: seed },
      testTimeout: 900_000,
    },
  }),
);
