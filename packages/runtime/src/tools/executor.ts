/**
 * The calls of one assistant message, from intent to outcome (runtime.md, Tools and the executor).
 * Neighbours that only read run side by side, all others one after another; results come in call order.
 */
import type { Language, Task, ToolCallPart } from '@astroresearch/core';
import type { Clock } from '../ports.ts';
import type { OwnRecall } from '../recall/recall-types.ts';
import { batches } from './batches.ts';
import { type DecidePermission, type PreparedCall, prepareCall } from './prepare-call.ts';
import type { Registry } from './registry.ts';
import { runTool, type ToolLimits, type ToolOutcome } from './run-tool.ts';
import type { ToolContext } from './tool.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

export type CallEvent =
  /** `arguments`: what will run, or what the model wrote where that is not valid. */
  | { readonly kind: 'intent'; readonly call: ToolCallPart; readonly arguments: unknown }
  | ({ readonly kind: 'outcome'; readonly call: ToolCallPart } & ToolOutcome);

/** What all calls of the message share. */
export type CallsContext = {
  readonly registry: Registry;
  readonly decide: DecidePermission;
  readonly limits: ToolLimits;
  readonly clock: Clock;
  readonly files: WorkspaceFiles;
  readonly sessionId: string;
  readonly agentName: string;
  readonly turnIndex: number;
  readonly step: number;
  readonly language: Language;
  readonly shownWhole: ToolContext['shownWhole'];
  /** The plan before the first call; each call sees it as the calls before it left it. */
  readonly tasks: readonly Task[];
  readonly recall: OwnRecall;
  /** Cancels what runs; what has not started then never does. */
  readonly signal: AbortSignal;
  /** Calls that are not to be run, by id, with what the model is told instead. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Calls whose intent is stored and whose outcome is not: a process died over them. */
  readonly started: ReadonlySet<string>;
};

/**
 * Each yielded list belongs into one commit. A call's intent is yielded before it starts, so nothing happens that
 * the log does not know of once the consumer asks for the next list. For every call there is exactly one intent, also
 * over a crash, and one outcome, outcomes in call order. A consumer that stops early cancels what runs.
 */
export async function* runCalls(
  calls: readonly ToolCallPart[],
  context: CallsContext,
): AsyncGenerator<readonly CallEvent[], void> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([context.signal, stopped.signal]);
  let { tasks } = context;
  try {
    for (const batch of batches(calls, (call) => mayRunInParallel(call, context.registry))) {
      const prepared = batch.map((call) => prepareCall(call, context));
      const intents = prepared
        .filter(({ call }) => !context.started.has(call.toolCallId))
        .map((call) => ({ kind: 'intent' as const, call: call.call, arguments: call.arguments }));
      if (intents.length > 0) yield intents;
      for await (const outcomes of settleInOrder(prepared, { ...context, tasks, signal })) {
        for (const fact of outcomes.flatMap((outcome) => outcome.facts)) {
          if (fact.type === 'tasks') tasks = fact.tasks;
        }
        yield outcomes;
      }
    }
  } finally {
    stopped.abort();
  }
}

/** A call to a tool that does not exist does nothing, so it may stand beside reads. */
function mayRunInParallel(call: ToolCallPart, registry: Registry): boolean {
  const effect = registry.get(call.name)?.effect ?? 'read';
  return effect === 'read';
}

type CallOutcome = Extract<CallEvent, { kind: 'outcome' }>;

/** Runs all at once; yields what has settled as soon as everything before it has. */
async function* settleInOrder(
  prepared: readonly PreparedCall[],
  context: CallsContext,
): AsyncGenerator<readonly CallOutcome[]> {
  const settled: (CallOutcome | undefined)[] = [];
  const running = prepared.map(async (call, index) => {
    settled[index] = { kind: 'outcome', call: call.call, ...(await settle(call, context)) };
  });
  for (let next = 0; next < running.length; ) {
    await running[next];
    const ready: CallOutcome[] = [];
    for (let outcome = settled[next]; outcome !== undefined; outcome = settled[next]) {
      ready.push(outcome);
      next += 1;
    }
    yield ready;
  }
}

async function settle(prepared: PreparedCall, context: CallsContext): Promise<ToolOutcome> {
  switch (prepared.kind) {
    case 'settled':
      return { status: prepared.status, output: prepared.output, elapsedMs: 0, facts: [] };
    case 'run':
      return runTool(prepared.tool, prepared.arguments, toolContext(prepared.call, context), context.limits);
    default:
      return prepared satisfies never;
  }
}

function toolContext(call: ToolCallPart, context: CallsContext): ToolContext {
  const {
    registry: _registry,
    decide: _decide,
    refusals: _refusals,
    started: _started,
    limits,
    ...shared
  } = context;
  return { ...shared, toolCallId: call.toolCallId, maxOutputChars: limits.maxOutputChars };
}
