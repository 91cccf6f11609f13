/** Real processes: killed at every step of the schema (CP32), and one without a free file number. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../src/manual-clock.ts';
import { inspectDatabase } from '../src/store/inspect-database.ts';
import { MIGRATIONS } from '../src/store/migrations.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { testEvents } from '../src/testing/test-events.ts';

const script = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'astroresearch-killed-'));
  path = join(folder, 'agent.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function versionNow(): number {
  const database = new Database(path, { readonly: true });
  const version = Number(database.pragma('user_version', { simple: true }));
  database.close();
  return version;
}

describe('a process that is killed while the schema moves', () => {
  const points = MIGRATIONS.flatMap((_, index) => [
    ['before-commit', index + 1, index],
    ['after-commit', index + 1, index + 1],
  ]) as [string, number, number][];

  it.each(points)(
    '%s of step %i leaves version %i, and the next one goes on',
    async (point, version, left) => {
      const child = spawnSync(process.execPath, [script('migrate.mjs'), path, point, String(version)]);
      expect(child.signal, String(child.stderr)).toBe('SIGKILL');
      expect(versionNow()).toBe(left);
      const store = openSqliteStore({ path, clock: createManualClock(0) });
      expect(versionNow()).toBe(MIGRATIONS.length);
      await store.append('s', 0, 0, [testEvents.created(), testEvents.said(2, 1, 'after it')]);
      await store.close();
      expect(inspectDatabase(path)).toMatchObject({ events: 2, faults: [] });
    },
  );
});

it('a process with no free file number hears what to do', () => {
  const child = spawnSync('sh', [
    '-c',
    'ulimit -n 256; exec "$@"',
    'sh',
    process.execPath,
    script('many-files.mjs'),
    path,
  ]);
  expect({ status: child.status, told: String(child.stdout) }).toEqual({
    status: 3,
    told: expect.stringMatching(/ulimit -n/),
  });
});
