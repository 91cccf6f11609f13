/** What is settled about a call before anything runs: known tool, valid arguments, permission (runtime.md). */
import type { Language, PermissionDecision, ToolCallPart, ToolStatus } from '@astroresearch/core';
import { unfinishedCallText } from '@astroresearch/core';
import { parseArguments } from './parse-arguments.ts';
import type { Registry } from './registry.ts';
import { deniedText, uncheckedPermissionText, unknownToolText } from './result-texts.ts';
import type { Tool } from './tool.ts';

/** Contract: `input` is exactly what would run, validated and frozen. One that throws counts as a denial. */
export type DecidePermission = (tool: Tool, input: unknown) => PermissionDecision;

export type PreparedCall =
  | {
      readonly kind: 'run';
      readonly call: ToolCallPart;
      readonly arguments: unknown;
      readonly tool: Tool;
    }
  /** It does not run; the model gets this instead. */
  | {
      readonly kind: 'settled';
      readonly call: ToolCallPart;
      readonly arguments: unknown;
      readonly status: ToolStatus;
      readonly output: string;
    };

type Preparation = {
  readonly registry: Registry;
  readonly decide: DecidePermission;
  readonly language: Language;
  readonly signal: AbortSignal;
  /** Calls that are not to be run, by id, with what the model is told instead. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Calls over which a process died. */
  readonly started: ReadonlySet<string>;
};

const NEAREST_NAMES = 3;

export function prepareCall(call: ToolCallPart, preparation: Preparation): PreparedCall {
  const { registry, language, signal } = preparation;
  const settled = (given: unknown, status: ToolStatus, output: string): PreparedCall => {
    return { kind: 'settled', call, arguments: given, status, output };
  };
  if (signal.aborted) {
    return settled(call.arguments, 'cancelled', unfinishedCallText('cancelled', language));
  }
  const refusal = preparation.refusals.get(call.toolCallId);
  if (refusal !== undefined) return settled(call.arguments, 'error', refusal);
  const tool = registry.get(call.name);
  if (tool === undefined) {
    const nearest = registry.nearest(call.name, NEAREST_NAMES);
    return settled(call.arguments, 'error', unknownToolText(call.name, nearest, language));
  }
  if (preparation.started.has(call.toolCallId) && !mayRunAgain(tool)) {
    return settled(call.arguments, 'interrupted', unfinishedCallText('interrupted', language));
  }
  const parsed = parseArguments(tool, call.arguments, language);
  if (parsed.kind === 'invalid') return settled(parsed.given, 'error', parsed.text);
  const denial = denialOf(tool, parsed.input, preparation);
  if (denial !== null) return settled(parsed.input, 'denied', denial);
  return { kind: 'run', call, arguments: parsed.input, tool };
}

/** After a crash between intent and outcome (reliability.md 2.2). */
function mayRunAgain({ effect }: Tool): boolean {
  switch (effect) {
    case 'read':
    case 'idempotent':
      return true;
    case 'effect':
    case 'interactive':
      return false;
    default:
      return effect satisfies never;
  }
}

function denialOf(tool: Tool, input: unknown, { decide, language }: Preparation): string | null {
  try {
    const decision = decide(tool, input);
    return decision.kind === 'allow' ? null : deniedText(tool.name, decision, language);
  } catch {
    return uncheckedPermissionText(tool.name, language);
  }
}
