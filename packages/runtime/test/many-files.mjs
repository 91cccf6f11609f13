/** A process that opens a database when all its file numbers are in use: `node many-files.mjs FILE`. */
import { openSync } from 'node:fs';

const { openSqliteStore } = await import(new URL('../dist/store/sqlite.js', import.meta.url).href);
const { systemClock } = await import(new URL('../dist/system-clock.js', import.meta.url).href);
try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // That was the last one.
}
try {
  openSqliteStore({ path: process.argv[2], clock: systemClock });
} catch (error) {
  process.exitCode = 3;
  process.stdout.write(`${error.kind}: ${error.message}`);
}
