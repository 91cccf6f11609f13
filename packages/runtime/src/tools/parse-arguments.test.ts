import type { Effect } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseArguments } from './parse-arguments.ts';
import { defineTool, type Tool } from './tool.ts';

function tool(effect: Effect, input: z.ZodType = FILE_INPUT): Tool {
  return defineTool({
    name: 'the_tool',
    summary: { zh: '', en: '' },
    description: { zh: '', en: '' },
    input,
    effect,
    execute: async () => ({ text: '' }),
  });
}

const FILE_INPUT = z.object({
  path: z.string().meta({ example: 'a.md' }),
  offset: z.int().min(1).optional(),
});
const READ = tool('read');
const WRITE = tool('idempotent');
const NO_INPUT = tool('read', z.object({ path: z.string().optional() }));

const text = (of: Tool, given: string, language: 'zh' | 'en' = 'en') => {
  const parsed = parseArguments(of, given, language);
  return parsed.kind === 'invalid'
    ? parsed.text
    : expect.fail(`was accepted: ${JSON.stringify(parsed.input)}`);
};

describe('parseArguments', () => {
  it('gives valid arguments frozen, without the fields that nobody asked for', () => {
    const parsed = parseArguments(WRITE, '{"path": "a.md", "made_up": 1}', 'en');
    expect(parsed).toEqual({ kind: 'valid', input: { path: 'a.md' } });
    expect(parsed.kind === 'valid' && Object.isFrozen(parsed.input)).toBe(true);
  });

  it('says the path, what was expected, what came, and what would be right', () => {
    expect(text(READ, '{"path": 5, "offset": -3}')).toBe(
      [
        'the_tool was not run: its arguments are not valid.',
        '- path: Invalid input: expected string, received number (received 5)',
        '- offset: Too small: expected number to be >=1 (received -3)',
        'Valid arguments look like this: {"path":"a.md"}',
      ].join('\n'),
    );
  });

  it('says it in Chinese where the session is Chinese', () => {
    const told = text(READ, '{"path": 5}', 'zh');
    expect(told).toContain('the_tool 没有执行：参数无效。');
    expect(told).toContain('path：无效输入：期望 string，实际接收 数字（收到 5）');
  });

  it('names the place in nested arguments and shortens what came', () => {
    const nested = tool('read', z.object({ todos: z.array(z.object({ status: z.enum(['open', 'done']) })) }));
    const told = text(nested, JSON.stringify({ todos: [{ status: 'open' }, { status: '🌌'.repeat(500) }] }));
    expect(told).toContain('- todos[1].status: ');
    expect(told.length).toBeLessThan(600);
    expect(told.isWellFormed()).toBe(true);
  });

  it('lists no more than six problems', () => {
    const many = tool(
      'read',
      z.object(Object.fromEntries([...'abcdefghij'].map((name) => [name, z.string()]))),
    );
    const told = text(many, '{}');
    expect(told.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(7);
    expect(told).toContain('- and 4 more');
  });

  it('takes an empty text for {} only where {} is enough', () => {
    expect(parseArguments(NO_INPUT, '', 'en')).toEqual({ kind: 'valid', input: {} });
    expect(parseArguments(NO_INPUT, ' \n', 'en')).toEqual({ kind: 'valid', input: {} });
    const told = text(READ, '');
    expect(told).toContain('the arguments are an empty string');
    expect(told).toContain('path: Invalid input');
  });

  it.each([
    ['["a.md"]', 'array'],
    ['null', 'null'],
    ['42', 'number'],
    ['"a.md"', 'string'],
  ])('refuses %s: it is no object', (given, kind) => {
    expect(text(READ, given)).toContain(`expected one JSON object, received ${kind}`);
  });

  it('says where the JSON is broken', () => {
    const told = text(READ, '{"path": }');
    expect(told).toContain('not valid JSON: expected a value at character 10, found "}"');
    expect(parseArguments(READ, '{"path": }', 'en')).toMatchObject({ given: '{"path": }' });
  });

  it('repairs JSON for a tool that reads, and never for one that acts', () => {
    expect(parseArguments(READ, "{'path': 'a.md'}", 'en')).toEqual({
      kind: 'valid',
      input: { path: 'a.md' },
    });
    for (const effect of ['idempotent', 'effect', 'interactive'] as const) {
      expect(text(tool(effect), "{'path': 'a.md'}")).toContain('expected a field name in double quotes');
    }
  });

  it('unwraps arguments that were encoded twice for a tool that reads alone', () => {
    const twice = JSON.stringify(JSON.stringify({ path: 'a.md' }));
    expect(parseArguments(READ, twice, 'en')).toEqual({ kind: 'valid', input: { path: 'a.md' } });
    expect(text(WRITE, twice)).toContain('without quotes around it');
    expect(text(READ, JSON.stringify(twice))).toContain('expected one JSON object, received string');
  });

  it('cannot be used to reach a prototype', () => {
    const loose = tool('read', z.looseObject({}));
    const parsed = parseArguments(
      loose,
      '{"__proto__": {"polluted": true}, "x": {"__proto__": {"y": 1}}}',
      'en',
    );
    expect(parsed).toEqual({ kind: 'valid', input: { x: {} } });
    const input = parsed.kind === 'valid' ? (parsed.input as { polluted?: unknown }) : {};
    expect(input.polluted).toBeUndefined();
    expect('polluted' in {}).toBe(false);
  });

  it('refuses nesting without a bottom', () => {
    expect(text(READ, `{"path": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`)).toContain(
      'nested more than 64',
    );
  });

  it('answers with an error where the schema itself throws', () => {
    const faulty = tool(
      'read',
      z.object({ path: z.string() }).refine(() => {
        throw new Error('schema bug');
      }),
    );
    expect(text(faulty, '{"path": "a"}')).toContain('could not be checked: Error: schema bug');
  });
});
