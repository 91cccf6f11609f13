/** From the text a model wrote to input that a tool may run on, or to words that say exactly what is wrong with it. */
import type { Language } from '@astroresearch/core';
import { z } from 'zod';
import { exampleArguments } from './example-arguments.ts';
import { findJsonError } from './json-error.ts';
import { deepFreeze, disarm } from './plain-json.ts';
import { repairJson } from './repair-json.ts';
import {
  emptyArgumentsText,
  encodedTwiceText,
  invalidArgumentsText,
  invalidJsonText,
  moreProblemsText,
  notAnObjectText,
  problemText,
  tooDeepText,
  uncheckableText,
} from './result-texts.ts';
import type { Tool } from './tool.ts';

export type ParsedArguments =
  /** Valid and frozen, all the way down. */
  | { readonly kind: 'valid'; readonly input: unknown }
  /** `given`: what the model wrote, parsed where that was possible. `text`: for the model. */
  | { readonly kind: 'invalid'; readonly given: unknown; readonly text: string };

type Given = { readonly given: unknown; readonly problems: readonly string[] };

const MAX_PROBLEMS = 6;
const MAX_RECEIVED_CHARS = 80;
const ISSUE_TEXTS = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError };

/**
 * Only a `read` tool ever runs on arguments that were repaired or unwrapped. An empty text counts as `{}`.
 * Never throws.
 */
export function parseArguments(tool: Tool, text: string, language: Language): ParsedArguments {
  const { given, problems } = readObject(text, tool.effect === 'read', language);
  if (problems.length > 0) return invalid(tool, given, problems, language);
  try {
    const parsed = tool.input.safeParse(given, { error: ISSUE_TEXTS[language], reportInput: true });
    if (parsed.success) return { kind: 'valid', input: deepFreeze(parsed.data) };
    const found = describeIssues(parsed.error.issues, language);
    return invalid(
      tool,
      given,
      text.trim() === '' ? [emptyArgumentsText(language), ...found] : found,
      language,
    );
  } catch (error) {
    return invalid(tool, given, [uncheckableText(String(error), language)], language);
  }
}

function invalid(
  tool: Tool,
  given: unknown,
  problems: readonly string[],
  language: Language,
): ParsedArguments {
  return {
    kind: 'invalid',
    given,
    text: invalidArgumentsText(tool.name, problems, exampleArguments(tool), language),
  };
}

function readObject(text: string, mayRepair: boolean, language: Language): Given {
  const parsed = text.trim() === '' ? { value: {} } : parseJson(text, mayRepair);
  if (parsed === null) {
    const error = findJsonError(text);
    return { given: text, problems: error === null ? [] : [invalidJsonText(error, language)] };
  }
  const value = mayRepair ? unwrapped(parsed.value) : parsed.value;
  if (!disarm(value)) return { given: text, problems: [tooDeepText(language)] };
  if (typeof value === 'string' && isObject(parseJson(value, false)?.value)) {
    return { given: value, problems: [encodedTwiceText(language)] };
  }
  if (!isObject(value)) return { given: value, problems: [notAnObjectText(kindOf(value), language)] };
  return { given: value, problems: [] };
}

function parseJson(text: string, mayRepair: boolean): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const repaired = mayRepair ? repairJson(text) : null;
    return repaired === null ? null : parseJson(repaired, false);
  }
}

/** The object inside a string that holds one: some models encode their arguments twice. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const inner = parseJson(value, false)?.value;
  return isObject(inner) ? inner : value;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function describeIssues(issues: readonly z.core.$ZodIssue[], language: Language): readonly string[] {
  const lines = issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => problemText(pathText(issue.path), issue.message, receivedText(issue.input), language));
  const more = issues.length - MAX_PROBLEMS;
  return more > 0 ? [...lines, moreProblemsText(more, language)] : lines;
}

/** `todos[0].status` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function receivedText(input: unknown): string | null {
  const text = JSON.stringify(input);
  if (text === undefined) return null;
  const characters = [...text.slice(0, MAX_RECEIVED_CHARS * 2)];
  if (characters.length <= MAX_RECEIVED_CHARS) return text;
  return `${characters.slice(0, MAX_RECEIVED_CHARS).join('')}…`;
}
