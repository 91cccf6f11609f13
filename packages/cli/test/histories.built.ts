/** `compact`, `replay` and `context` on real files and a real database (api.md, Command line). */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from './command-line.ts';

type Line = Readonly<Record<string, unknown>>;

/** A question, `groups` readings of `words` words each, an answer, and the next question. */
function history(groups: number, words: number): readonly Line[] {
  const readings = Array.from({ length: groups }, (_, nth) => {
    const id = `call_${nth}`;
    const call = {
      id,
      type: 'function',
      function: { name: 'read_file', arguments: `{"path":"data/f${nth}.fits"}` },
    };
    const content = `rows of data/f${nth}.fits: ${'some plain words of a table '.repeat(words / 6)}flux 12.345${nth}`;
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content },
    ];
  });
  return [
    { role: 'user', content: 'Read everything', name: 'ann' },
    ...readings.flat(),
    { role: 'assistant', content: 'All read.' },
    { role: 'user', content: 'Now conclude' },
  ];
}

function file(lines: readonly Line[], name = 'history.jsonl'): string {
  const target = path.join(newFolder(), name);
  writeFileSync(target, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return target;
}

describe('compact', () => {
  it('prints a smaller history that is still valid, and leaves the file and what it kept untouched', async () => {
    const source = file(history(12, 900));
    const before = readFileSync(source, 'utf8');
    const { code, out, error } = await run(['compact', source]);
    expect(code).toBe(0);
    const messages = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    expect(out.length).toBeLessThan(before.length / 2);
    expect(messages[0]).toEqual({ role: 'user', content: 'Read everything', name: 'ann' });
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'Now conclude' });
    expect(error).toMatch(/27 messages, \d+ tokens → \d+ messages, \d+ tokens/);
    expect(readFileSync(source, 'utf8')).toBe(before);
  });

  it('takes an array as well, runs only the layers asked for, and reports refs', async () => {
    const source = path.join(newFolder(), 'history.json');
    writeFileSync(source, JSON.stringify(history(12, 900), null, 2));
    const { code, out } = await run(['compact', source, '--layers', 'micro', '--json']);
    expect(code).toBe(0);
    const { messages, report } = JSON.parse(out) as {
      messages: { role: string; content: string }[];
      report: { layers: { layer: string }[]; refs: { ref: string }[]; messages_after: number };
    };
    expect(report.layers.map(({ layer }) => layer)).toEqual(['micro']);
    expect(report.refs).toHaveLength(4);
    expect(messages.filter(({ content }) => content?.startsWith('[Previous: used read_file]'))).toHaveLength(
      4,
    );
  });

  it('says file, line and reason of what it cannot read, and what an option may be', async () => {
    const broken = path.join(newFolder(), 'broken.jsonl');
    writeFileSync(broken, '{"role":"user","content":"a"}\n{"role":"robot","content":"b"}\n');
    const unreadable = await run(['compact', broken]);
    expect([unreadable.code, unreadable.error]).toEqual([1, expect.stringContaining(`${broken}:2: `)]);
    expect(unreadable.error).toContain('robot');
    expect((await run(['compact', path.join(newFolder(), 'missing.jsonl')])).code).toBe(1);
    const wrong = await run(['compact', file(history(1, 6)), '--layers', 'snip,magic']);
    expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining('magic')]);
    expect((await run(['compact', file(history(1, 6)), '--soft', 'few'])).code).toBe(2);
  });
});

describe('replay', () => {
  it('tells cost, validity and survival of two policies and both oracles, as a table and as a page', async () => {
    const source = file(history(30, 3_000));
    const page = path.join(newFolder(), 'page.html');
    const { code, out } = await run(['replay', source, '--against', 'send-everything', '--html', page]);
    expect(code).toBe(0);
    for (const name of ['balanced', 'send-everything', 'oracle-groups', 'oracle-ledger'])
      expect(out).toContain(name);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('<svg');
    expect(html).not.toMatch(/<script|https?:\/\//);
  });

  it('prints the same in numbers, each step included', async () => {
    const { out } = await run(['replay', file(history(30, 3_000)), '--json']);
    const { sessions, total } = JSON.parse(out) as {
      sessions: { steps: number; violations: number; per_step: { tokens_sent: number }[] }[];
      total: { tokens_sent: number; tokens_cached: number; violations: number; compactions: number };
    };
    expect([sessions[0]?.steps, sessions[0]?.per_step.length]).toEqual([31, 31]);
    expect(total.compactions).toBeGreaterThan(0);
    expect(total.violations).toBe(0);
    expect(total.tokens_cached).toBeLessThan(total.tokens_sent);
  });

  it('takes a policy from a file and says what is wrong with another', async () => {
    const policy = path.join(newFolder(), 'tight.json');
    writeFileSync(policy, '{"name":"tight","soft_tokens":4000,"hard_tokens":5000}');
    const { out } = await run(['replay', file(history(12, 900)), '--policy', policy]);
    expect(out).toContain('tight');
    writeFileSync(policy, '{"soft":4000}');
    const { code, error } = await run(['replay', file(history(2, 6)), '--policy', policy]);
    expect([code, error]).toEqual([2, expect.stringContaining('soft_tokens')]);
  });
});

describe('context', () => {
  it('shows what the next request of a session carries', async () => {
    const folder = newFolder();
    await run(['ask', 'What is M 31?'], folder);
    const listed = JSON.parse((await run(['sessions', 'list', '--json'], folder)).out) as {
      items: { session_id: string }[];
    };
    const id = listed.items[0]?.session_id ?? '';
    const { code, out } = await run(['context', id], folder);
    expect(code).toBe(0);
    expect(out).toMatch(/^Request \d+ \(the next\): /);
    expect(out).toContain('tool_result');
    const told = JSON.parse((await run(['context', id, '--request', '1', '--json'], folder)).out) as {
      request: number;
      tokens: number;
      blocks: { tokens: number }[];
    };
    expect(told.request).toBe(1);
    expect(told.blocks.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(told.tokens);
    expect((await run(['context', id, '--request', '99'], folder)).code).toBe(1);
    expect((await run(['context', id, '--request', 'none'], folder)).code).toBe(2);
    expect((await run(['context', 'nobody'], folder)).code).toBe(1);
  });
});
