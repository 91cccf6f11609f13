import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleArguments } from './example-arguments.ts';
import { defineTool } from './tool.ts';

const exampleOf = (input: z.ZodType) =>
  JSON.parse(
    exampleArguments(
      defineTool({
        name: 't',
        summary: { zh: '', en: '' },
        description: { zh: '', en: '' },
        input,
        execute: async () => ({ text: '' }),
      }),
    ),
  );

describe('exampleArguments', () => {
  it('shows required fields alone, each of its own type', () => {
    const input = z.object({
      text: z.string(),
      known: z.string().meta({ example: 'M31' }),
      count: z.int().min(3),
      exact: z.number(),
      flag: z.boolean(),
      choice: z.enum(['a', 'b']),
      fixed: z.literal('v1'),
      either: z.union([z.string(), z.number()]),
      list: z.array(z.object({ inner: z.string(), left: z.string().optional() })),
      nothing: z.null(),
      left: z.string().optional(),
      standard: z.string().default('x'),
    });
    const example = exampleOf(input);
    expect(example).toEqual({
      text: '<text>',
      known: 'M31',
      count: 3,
      exact: 1,
      flag: true,
      choice: 'a',
      fixed: 'v1',
      either: '<either>',
      list: [{ inner: '<inner>' }],
      nothing: null,
    });
    expect(input.safeParse(example).success).toBe(true);
  });

  it('shows an empty object where nothing is required', () => {
    expect(exampleOf(z.object({ left: z.string().optional() }))).toEqual({});
  });
});
