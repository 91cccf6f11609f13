import { defineConfig } from 'vitest/config';

/** Workspaces resolve to their sources (`source` condition), so that the tests need no build. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'module', 'node'] } },
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}'],
    server: { deps: { inline: [/@astroresearch\//, /^astroresearch/] } },
    setupFiles: ['./vitest.setup.ts'],
    // One module graph for all files of a worker: tests share no state, and most of the time went into imports.
    isolate: false,
    testTimeout: 20_000,
  },
});
