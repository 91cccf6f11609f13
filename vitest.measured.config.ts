import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * Slower checks on recorded material: `npm run test:measured`. Folders come from the environment:
 * `TRAJECTORIES` (recorded sessions), `CASES` (provider errors).
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      include: ['packages/*/test/**/*.measured.ts'],
      env: {
        TRAJECTORIES: process.env.TRAJECTORIES ?? '../shared/trajectories',
        CASES: process.env.CASES ?? '../shared/cases',
      },
      testTimeout: 600_000,
    },
  }),
);
