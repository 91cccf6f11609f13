import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * Damaged streams of every dialect for `FUZZ_SECONDS`: `npm run test:fuzz`. The seed is printed; what fails says the one
 * line that repeats it (`FUZZ_SEED`, `FUZZ_CASE`).
 */
const seconds = process.env.FUZZ_SECONDS ?? '60';
const seed = process.env.FUZZ_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`fuzz: ${seconds} s, FUZZ_SEED=${seed}`);

export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      include: ['packages/*/test/**/*.fuzz.ts'],
      env: { FUZZ_SECONDS: seconds, FUZZ_SEED: seed },
      testTimeout: (Number(seconds) + 60) * 1000,
    },
  }),
);
