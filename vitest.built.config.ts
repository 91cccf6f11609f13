import { defineConfig } from 'vitest/config';

/** The built command line as real processes. Run `npm run build` first. */
export default defineConfig({
  test: {
    include: ['packages/cli/test/**/*.built.ts'],
    testTimeout: 60_000,
    fileParallelism: false,
  },
});
