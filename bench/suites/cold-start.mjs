/** Cold starts of the command line: `--version`, and `serve` until it is healthy, against node itself. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, round } from '../measure.mjs';

export const title = 'Cold start, whole processes';
const CLI = fileURLToPath(new URL('../../packages/cli/bin/astroresearch.js', import.meta.url));
const RUNS = 7;

export async function run() {
  const folder = mkdtempSync(path.join(tmpdir(), 'astroresearch-bench-'));
  try {
    const node = timed(() => spawnSync(process.execPath, ['-e', '0']));
    const version = timed(() => spawnSync(process.execPath, [CLI, '--version']));
    const healthy = [];
    for (let start = 0; start < RUNS; start++) healthy.push(await untilHealthy(folder, 18_700 + start));
    const rows = [
      ['node -e 0', node],
      ['astroresearch --version', version],
      ['astroresearch serve, until /healthz answers', median(healthy)],
    ];
    return rows.map(([command, ms]) => ({ command, ms: round(ms, 0), 'ratio to node': round(ms / node, 1) }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed(work) {
  const times = [];
  for (let start = 0; start < RUNS; start++) {
    const began = performance.now();
    work();
    times.push(performance.now() - began);
  }
  return median(times);
}

async function untilHealthy(folder, port) {
  const began = performance.now();
  const child = spawn(process.execPath, [CLI, 'serve'], {
    stdio: 'ignore',
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ASTRORESEARCH_HOME: path.join(folder, 'home'),
      PORT: String(port),
    },
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.ok) break;
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const ms = performance.now() - began;
  child.kill('SIGTERM');
  await closed;
  return ms;
}
