import { defineConfig } from 'vitest/config';

/** The page in a real Chromium, against the built server. Run `npm run build` first. */
export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
