/** The tools of an agent by name, and as the provider is told of them (runtime.md, Tools and the executor). */
import type { Language } from '@astroresearch/core';
import type { ToolSchema } from '../llm/language-model.ts';
import { nearestNames } from './nearest-names.ts';
import type { Tool } from './tool.ts';
import { toolSchema } from './tool-schema.ts';

export type Registry = {
  get(name: string): Tool | undefined;
  /** In the order given; never changes. */
  readonly list: readonly Tool[];
  /** At most `count` names, the most similar first. */
  nearest(name: string, count: number): readonly string[];
  /** In the order of `list`; made once per language, so that the bytes of every request are the same. */
  schemas(language: Language): readonly ToolSchema[];
};

/** Providers accept these names; ours are snake_case, other servers' may hold capitals and dashes. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Throws where two tools share a name or a name is not one a provider accepts. */
export function createRegistry(tools: readonly Tool[]): Registry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (!TOOL_NAME.test(tool.name)) {
      throw new Error(`tool name ${JSON.stringify(tool.name)}: use letters, digits, _ and -, at most 64`);
    }
    if (byName.has(tool.name)) throw new Error(`two tools are named ${tool.name}: rename one`);
    byName.set(tool.name, tool);
  }
  const list = [...tools];
  const names = [...byName.keys()];
  const schemas = new Map<Language, readonly ToolSchema[]>();
  return {
    get: (name) => byName.get(name),
    list,
    nearest: (name, count) => nearestNames(name, names, count),
    schemas(language) {
      const made = schemas.get(language) ?? list.map((tool) => toolSchema(tool, language));
      schemas.set(language, made);
      return made;
    },
  };
}
