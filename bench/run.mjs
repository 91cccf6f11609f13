/** `npm run bench [name …]`: runs the benchmarks on the built product; each prints one table of medians and ratios. */
import { readdirSync } from 'node:fs';

const folder = new URL('./suites/', import.meta.url);
const suites = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs'))
  .sort();
const wanted = process.argv.slice(2);
for (const file of suites) {
  const name = file.replace(/\.mjs$/, '');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { title, run } = await import(new URL(file, folder).href);
  console.log(`\n${title}`);
  console.table(await run());
}
