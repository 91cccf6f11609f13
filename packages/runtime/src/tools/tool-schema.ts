/** A tool's input as JSON Schema in one language, as a provider is told of it (runtime.md, Tools and the executor). */
import type { Language } from '@astroresearch/core';
import { z } from 'zod';
import type { ToolSchema } from '../llm/language-model.ts';
import type { Tool } from './tool.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Throws where the input holds something that JSON Schema cannot say: a mistake in the tool. */
export function toolSchema(tool: Tool, language: Language): ToolSchema {
  return {
    name: tool.name,
    description: tool.description[language],
    parameters: inputSchema(tool, (node) => {
      if (language === 'zh' && typeof node.zh === 'string') node.description = node.zh;
      delete node.zh;
      delete node.example;
      dropSafeIntegerBounds(node);
    }),
  };
}

/** The schema with the `zh` and `example` keys of its `.meta` still in it: for this side only. */
export function annotatedSchema(tool: Tool): JsonSchema {
  return inputSchema(tool, () => {});
}

function inputSchema(tool: Tool, change: (node: Record<string, unknown>) => void): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, {
    io: 'input',
    override: ({ jsonSchema }) => change(jsonSchema),
  });
  return schema;
}

/** `z.int()` says ±(2^53 − 1); that tells a model nothing and costs tokens in every request. */
function dropSafeIntegerBounds(node: Record<string, unknown>): void {
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
}
