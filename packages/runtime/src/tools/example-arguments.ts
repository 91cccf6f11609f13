/** Arguments that a tool would accept, made from its schema: shown to a model whose arguments were not. */
import type { Tool } from './tool.ts';
import { annotatedSchema, type JsonSchema } from './tool-schema.ts';

/** JSON text. Required fields only; a field's `.meta({ example })` wins over what is made up here. */
export function exampleArguments(tool: Tool): string {
  return JSON.stringify(exampleOf(annotatedSchema(tool), 'value'));
}

function exampleOf(schema: JsonSchema, name: string): unknown {
  if ('example' in schema) return schema.example;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return exampleOf(asSchema(options[0]), name);
  switch (schema.type) {
    case 'object':
      return exampleObject(schema);
    case 'array':
      return [exampleOf(asSchema(schema.items), name)];
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return `<${name}>`;
  }
}

function exampleObject(schema: JsonSchema): Record<string, unknown> {
  const properties = asSchema(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(
    required.map((name: string) => [name, exampleOf(asSchema(properties[name]), name)]),
  );
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
}
