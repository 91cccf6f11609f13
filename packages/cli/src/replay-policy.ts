/** A policy as `replay` takes it: by name, or as a JSON file of settings. */
import { readFile } from 'node:fs/promises';
import {
  enginePolicy,
  type ReplayPolicy,
  SEND_EVERYTHING,
  type Settings,
  type TokenCounter,
} from '@astroresearch/core';

export type NamedPolicy = {
  readonly name: string;
  readonly settings: Settings;
  readonly build: (count: TokenCounter) => ReplayPolicy;
};

/** Of the seed, characters. */
const SEED_CHAR_LIMIT = 16_000;

/** Fields of a policy file; what is left out comes from the environment. */
const FIELDS = [
  'name',
  'policy',
  'soft_tokens',
  'hard_tokens',
  'max_messages',
  'char_limit',
  'window_tokens',
] as const;

/** `base`: the settings that the environment gives. */
export async function readPolicy(
  name: string,
  base: Settings,
): Promise<NamedPolicy | { readonly fault: string }> {
  if (name === 'send-everything') return { name, settings: base, build: () => SEND_EVERYTHING };
  if (name === 'balanced' || name === 'seed') return engine(name, withPolicy(base, name));
  let text: string;
  try {
    text = await readFile(name, 'utf8');
  } catch {
    return { fault: `${name} is neither balanced, seed, send-everything nor a file that can be read` };
  }
  return fromFile(name, text, base);
}

function fromFile(file: string, text: string, base: Settings): NamedPolicy | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: `${file}: no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: `${file}: expected an object with some of ${FIELDS.join(', ')}` };
  const fields = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).find((key) => !FIELDS.some((known) => known === key));
  if (unknown !== undefined)
    return { fault: `${file}: unknown field ${unknown}; known are ${FIELDS.join(', ')}` };
  const { name = file, policy = base.compaction.policy, ...numbers } = fields;
  if (policy !== 'balanced' && policy !== 'seed')
    return { fault: `${file}: policy must be balanced or seed` };
  const bad = Object.entries(numbers).find(
    ([, number]) => !Number.isInteger(number) || (number as number) < 1,
  );
  if (bad !== undefined) return { fault: `${file}: ${bad[0]} must be a whole number from 1` };
  const given = numbers as Readonly<Record<string, number>>;
  const settings = withPolicy(base, policy);
  return engine(String(name), {
    ...settings,
    budget: {
      softTokens: given.soft_tokens ?? base.budget.softTokens,
      hardTokens: given.hard_tokens ?? base.budget.hardTokens,
    },
    compaction: {
      policy,
      charLimit: given.char_limit ?? settings.compaction.charLimit,
      maxMessages: given.max_messages ?? base.compaction.maxMessages,
      windowTokens: given.window_tokens ?? base.compaction.windowTokens,
    },
  });
}

function withPolicy(base: Settings, policy: 'balanced' | 'seed'): Settings {
  const charLimit = base.compaction.charLimit ?? (policy === 'seed' ? SEED_CHAR_LIMIT : null);
  return { ...base, compaction: { ...base.compaction, policy, charLimit } };
}

function engine(name: string, settings: Settings): NamedPolicy {
  return { name, settings, build: (count) => enginePolicy({ name, settings, count }) };
}
