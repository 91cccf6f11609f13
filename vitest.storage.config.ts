import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Damaged and killed databases, by the hundred: `npm run test:storage`. Run `npm run build` first, for the children. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: { include: ['packages/runtime/test/**/*.storage.ts'], testTimeout: 300_000 },
  }),
);
