/** The built command line: what a new user types, and what bad input gets (api.md, Command line). */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run, start } from './command-line.ts';

/** Also as root, for whom no folder is read-only: a file where the folder should be. */
function blockedHome(): { readonly folder: string; readonly home: string } {
  const folder = newFolder();
  const home = path.join(folder, 'blocked');
  writeFileSync(home, 'not a folder');
  chmodSync(home, 0o600);
  return { folder, home };
}

describe('astroresearch', () => {
  it('tells its version and its commands', async () => {
    expect((await run(['--version'])).out.trim()).toMatch(/^\d+\.\d+\.\d+$/);
    const help = await run(['--help']);
    expect(help.code).toBe(0);
    for (const command of ['serve', 'ask', 'sessions', 'doctor']) expect(help.out).toContain(command);
  });

  it('refuses unknown commands and missing arguments with exit code 2', async () => {
    expect((await run(['no-such-command'])).code).toBe(2);
    expect((await run(['ask'])).code).toBe(2);
  });

  it('prints one line for each fault of the configuration and exits with 2', async () => {
    const { code, error } = await run(['serve'], newFolder(), { PORT: '70000', AGENT_MAX_STEPS: 'many' });
    expect(code).toBe(2);
    expect(error.split('\n').filter((line) => /^(PORT|AGENT_MAX_STEPS)=/.test(line))).toHaveLength(2);
  });

  it('reads config.json of its data folder, and names its faults the same way', async () => {
    const folder = newFolder();
    mkdirSync(path.join(folder, 'home'));
    const models = { mine: { window_tokens: 'many' } };
    writeFileSync(path.join(folder, 'home', 'config.json'), JSON.stringify({ models }));
    const { code, error } = await run(['ask', 'why?'], folder, {});
    expect(code).toBe(2);
    expect(error).toContain('config.json: models.mine.window_tokens="many": must be a whole number');
  });

  it('says what to do where its data folder cannot be used', async () => {
    const { folder, home } = blockedHome();
    const { code, error } = await run(['ask', 'hello'], folder, { ASTRORESEARCH_HOME: home });
    expect(code).toBe(1);
    expect(error).toContain(home);
  });
});

describe('ask, offline and without a key', () => {
  it('answers about NGC 1068 in Chinese, with citations, and shows what it did', async () => {
    const folder = newFolder();
    const { code, out, error } = await run(['ask', 'NGC 1068 是否为中微子源？距离用哪个值？'], folder);
    expect(code).toBe(0);
    expect(out).toMatch(/\p{Script=Han}/u);
    expect(out).toMatch(/arxiv\.org\/abs\/\d{4}\.\d{4,5}/);
    expect(error).toContain('search_papers');
    const listed = await run(['sessions', 'list'], folder);
    expect(listed.out).toContain('NGC 1068');
  });

  it('answers about the Hubble tension in English, one event a line with --json', async () => {
    const { code, out } = await run([
      'ask',
      'How large is the Hubble tension, and which measurements disagree?',
      '--json',
    ]);
    expect(code).toBe(0);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; data: Record<string, unknown> });
    expect([lines[0]?.type, lines.at(-1)?.type]).toEqual(['session', 'done']);
    const answer = lines.findLast((line) => line.type === 'message')?.data.content;
    expect(answer).toContain('73.04');
    expect(answer).toContain('67.4');
  });

  it('goes on in a session, and says so where there is none', async () => {
    const folder = newFolder();
    const first = await run(['ask', 'What is known about K2-18 b?', '--json'], folder);
    const { session_id: id } = (
      JSON.parse(first.out.split('\n', 1)[0] ?? '') as { data: { session_id: string } }
    ).data;
    expect((await run(['ask', 'And its host star?', '--session', id], folder)).code).toBe(0);
    const shown = await run(['sessions', 'show', id, '--json'], folder);
    const { messages } = JSON.parse(shown.out) as { messages: { role: string; content: string }[] };
    expect(
      messages.filter((message) => message.role === 'user' && message.content.includes('K2-18')),
    ).toHaveLength(1);
    expect((await run(['ask', 'x', '--session', 'nobody'], folder)).code).toBe(1);
  });
});

describe('serve', () => {
  it('prints a login link, answers, and ends in order at SIGTERM', async () => {
    const folder = newFolder();
    mkdirSync(path.join(folder, 'home'));
    const server = start(['serve', '--port', '0'], folder);
    const out = await server.printed('#login=');
    const address = out.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0] ?? '';
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await fetch(`${address}/api/sessions`)).status).toBe(401);
    const ticket = out.match(/#login=(\S+)/)?.[1];
    const login = () =>
      fetch(`${address}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-astroresearch-client': 'web' },
        body: JSON.stringify({ ticket }),
      });
    expect((await login()).status).toBe(204);
    expect((await login()).status).toBe(401);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  it('says what to do where its port is taken', async () => {
    const first = start(['serve', '--port', '0'], newFolder());
    const port = (await first.printed('#login=')).match(/127\.0\.0\.1:(\d+)/)?.[1] ?? '';
    const second = await run(['serve', '--port', port]);
    expect(second.code).not.toBe(0);
    expect(second.error).toContain(port);
    first.child.kill('SIGTERM');
    await first.ended;
  });
});

describe('doctor', () => {
  it('finds nothing wrong on a fresh machine', async () => {
    const { code, out } = await run(['doctor', '--json']);
    expect(code).toBe(0);
    const { findings } = JSON.parse(out) as { findings: { state: string }[] };
    expect(findings.map((finding) => finding.state)).not.toContain('fault');
  });

  it('says how to mend an endpoint that does not answer', async () => {
    const { code, out } = await run(['doctor'], newFolder(), { LLM_BASE_URL: 'http://127.0.0.1:9/v1' });
    expect(code).toBe(1);
    expect(out).toContain('LLM_BASE_URL');
  });
});
