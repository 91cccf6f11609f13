/** The database under the built product: checked, saved, copied while it is in use, and failed while it is in use. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run, start } from './command-line.ts';

type Connection = { exec(sql: string): void; close(): void };
const requireOfRuntime = createRequire(new URL('../../runtime/package.json', import.meta.url));
const Database: new (file: string) => Connection = requireOfRuntime('better-sqlite3');

/** A folder with one session in its database. */
async function asked(): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = newFolder();
  expect((await run(['ask', 'What is M31?'], folder)).code).toBe(0);
  const home = path.join(folder, 'home');
  const name = readdirSync(home).find((entry) => entry.endsWith('.db')) ?? '';
  return { folder, file: path.join(home, name) };
}

function damage(file: string, sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

describe('doctor --db', () => {
  it('finds a sound database sound, in both languages', async () => {
    const { folder } = await asked();
    expect(await run(['doctor', '--db'], folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining('sound'),
    });
    const chinese = await run(['doctor', '--db'], folder, { LANG: 'zh_CN.UTF-8' });
    expect(chinese).toMatchObject({ code: 0, out: expect.stringContaining('数据库完好') });
  });

  it('tells of damage and saves what can be read, without touching the file', async () => {
    const { folder, file } = await asked();
    damage(file, `UPDATE agent_messages SET content = 'other' WHERE role = 'assistant'`);
    const before = readFileSync(file);
    const { code, out } = await run(['doctor', '--db', file], folder);
    expect(code).toBe(1);
    expect(out).toMatch(/not what was written[\s\S]*--salvage/);
    expect((await run(['ask', 'again'], folder)).error).toContain('--salvage');
    const saved = path.join(folder, 'saved.db');
    expect(await run(['doctor', '--db', '--salvage', saved], folder)).toMatchObject({ code: 0 });
    expect(readFileSync(file)).toEqual(before);
    expect((await run(['doctor', '--db', saved], folder)).code).toBe(0);
    expect((await run(['sessions', 'list'], folder, { DATABASE_URL: `sqlite:${saved}` })).out).toContain(
      'M31',
    );
  });

  it('names a file that is not there', async () => {
    expect(await run(['doctor', '--db', 'none.db'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('none.db'),
    });
  });
});

describe('backup', () => {
  it('is made while the server runs, is private, replaces nothing, and restores', async () => {
    const { folder, file } = await asked();
    const server = start(['serve', '--port', '0'], folder);
    await server.printed('#login=');
    const out = path.join(folder, 'copy.db');
    expect(await run(['backup', out], folder)).toMatchObject({ code: 0 });
    expect(await run(['backup', out], folder)).toMatchObject({
      code: 1,
      error: expect.stringContaining('exists'),
    });
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect(statSync(out).mode & 0o777).toBe(0o600);

    const restored = newFolder();
    const home = path.join(restored, 'home');
    mkdirSync(home);
    copyFileSync(out, path.join(home, path.basename(file)));
    const list = (at: string) => run(['sessions', 'list', '--json'], at);
    expect((await list(restored)).out).toBe((await list(folder)).out);
    expect((await run(['doctor', '--db'], restored)).code).toBe(0);
  });
});

describe('serve', () => {
  it('ends with an error where storage fails for good, and says why', async () => {
    const { folder, file } = await asked();
    const token = 'a-token-of-thirty-two-characters-';
    const server = start(['serve', '--port', '0'], folder, { AUTH_TOKEN: token });
    const printed = await server.printed('#login=');
    const address = /http:\/\/[\d.]+:\d+/.exec(printed)?.[0] ?? '';
    damage(file, 'ALTER TABLE agent_events RENAME TO elsewhere');
    const answer = await fetch(`${address}/api/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: 'store_corrupt' } });
    const ended = await server.ended;
    expect(ended.code).toBe(1);
    expect(ended.error).toContain('doctor --db');
  });
});

it('a file that is no database is named as one, and left alone', async () => {
  const folder = newFolder();
  const file = path.join(folder, 'notes.db');
  writeFileSync(file, 'these are my notes, and no database at all; '.repeat(99));
  const before = readFileSync(file);
  const { code, error } = await run(['ask', 'hello'], folder, { DATABASE_URL: `sqlite:${file}` });
  expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('notes.db') });
  expect(readFileSync(file)).toEqual(before);
});
