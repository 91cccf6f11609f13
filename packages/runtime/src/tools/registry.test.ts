import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRegistry } from './registry.ts';
import { defineTool, type Tool } from './tool.ts';

function tool(name: string, input: z.ZodType = z.object({})): Tool {
  return defineTool({
    name,
    summary: { zh: '摘要', en: 'Summary' },
    description: { zh: '说明', en: 'Description' },
    input,
    execute: async () => ({ text: '' }),
  });
}

const INPUT = z.object({
  path: z.string().meta({ description: 'A path', zh: '路径', example: 'a.md' }),
  count: z.int().meta({ description: 'How many', zh: '数量' }).optional(),
  zh: z.string().meta({ description: 'A field that is named zh', zh: '名为 zh 的字段' }).optional(),
  nested: z
    .array(z.object({ example: z.boolean().meta({ description: 'Deep', zh: '深处' }) }))
    .optional()
    .meta({ description: 'A list', zh: '列表' }),
});

describe('createRegistry', () => {
  it('finds a tool by its name and by nothing else', () => {
    const registry = createRegistry([tool('read_file'), tool('write_file')]);
    expect(registry.get('read_file')?.name).toBe('read_file');
    expect(['constructor', '__proto__', 'read', ''].map((name) => registry.get(name))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(registry.list.map(({ name }) => name)).toEqual(['read_file', 'write_file']);
    expect(registry.nearest('read_fil', 1)).toEqual(['read_file']);
  });

  it('refuses two tools of one name and names that providers refuse', () => {
    expect(() => createRegistry([tool('a'), tool('a')])).toThrow('two tools are named a');
    expect(() => createRegistry([tool('two words')])).toThrow('two words');
    expect(() => createRegistry([tool('')])).toThrow();
  });

  it('gives the same schemas, not only equal ones, at every call', () => {
    const registry = createRegistry([tool('b'), tool('a')]);
    expect(registry.schemas('en')).toBe(registry.schemas('en'));
    expect(registry.schemas('en').map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it('describes a tool in English without any key that is ours alone', () => {
    expect(createRegistry([tool('t', INPUT)]).schemas('en')).toEqual([
      {
        name: 't',
        description: 'Description',
        parameters: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'A path' },
            count: { type: 'integer', description: 'How many' },
            zh: { type: 'string', description: 'A field that is named zh' },
            nested: {
              type: 'array',
              description: 'A list',
              items: {
                type: 'object',
                properties: { example: { type: 'boolean', description: 'Deep' } },
                required: ['example'],
              },
            },
          },
          required: ['path'],
        },
      },
    ]);
  });

  it('replaces every description by the Chinese one where the session is Chinese', () => {
    const [schema] = createRegistry([tool('t', INPUT)]).schemas('zh');
    expect(schema).toMatchObject({
      description: '说明',
      parameters: {
        properties: {
          path: { type: 'string', description: '路径' },
          count: { type: 'integer', description: '数量' },
          zh: { description: '名为 zh 的字段' },
          nested: { description: '列表', items: { properties: { example: { description: '深处' } } } },
        },
      },
    });
    expect(JSON.stringify(schema)).not.toContain('"example":"a.md"');
  });
});
