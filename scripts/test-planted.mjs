/**
 * `npm run test:planted`: plants each fault in turn, runs the invariants, and wants the named one to fail. A fault
 * that is not caught means an invariant that proves nothing. Nothing on disk is changed: the test runner reads the
 * file with the fault in it.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLANTED_FAULTS } from './planted-faults.mjs';

const folder = mkdtempSync(join(tmpdir(), 'planted-'));
const wanted = process.argv[2];
const queue = PLANTED_FAULTS.filter(({ name }) => wanted === undefined || name.includes(wanted));
const missed = [];

const misplaced = queue.flatMap(placesOf).filter(({ times }) => times !== 1);
for (const { name, file, find, times } of misplaced)
  console.error(`"${name}" finds its place ${times} times in ${file}: ${find.trim().slice(0, 80)}`);
if (misplaced.length > 0) process.exit(1);

await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
rmSync(folder, { recursive: true, force: true });
console.log(`${PLANTED_FAULTS.length} planted faults, ${missed.length} missed`);
process.exit(missed.length === 0 ? 0 : 1);

/** Where a fault is to be planted, and how often the text stands there. */
function placesOf({ name, file, find, also }) {
  const text = readFileSync(file, 'utf8');
  return [find, ...(also === undefined ? [] : [also.find])].map((wanted) => ({
    name,
    file,
    find: wanted,
    times: text.split(wanted).length - 1,
  }));
}

async function work() {
  for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
    const failed = await failuresWith(fault);
    const caught = failed.some((title) => title.startsWith(fault.caughtBy));
    if (!caught) missed.push(fault.name);
    const by = failed[0]?.split(':')[0] ?? `"${fault.caughtBy}" held`;
    console.log(`${caught ? 'caught' : 'MISSED'}  ${fault.name} (${by})`);
  }
}

/** Titles of the invariants that fail with the fault in place, of those that should. */
async function failuresWith(fault) {
  const report = join(folder, `${PLANTED_FAULTS.indexOf(fault)}.json`);
  const args = [
    '--no-install',
    'vitest',
    'run',
    '--config',
    'vitest.planted.config.mjs',
    '-t',
    fault.caughtBy,
  ];
  const child = spawn('npx', [...args, '--reporter=json', `--outputFile=${report}`], {
    env: { ...process.env, PLANTED_FAULT: fault.name },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await new Promise((resolve) => child.on('close', resolve));
  const { testResults, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
  if (numTotalTests === 0)
    throw new Error(`no test ran with "${fault.name}" planted: ${stderr.slice(0, 600)}`);
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title),
  );
}
