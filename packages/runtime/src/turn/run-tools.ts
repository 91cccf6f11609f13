/** Performs the calls of one assistant message: intents and outcomes as events, long outputs kept whole elsewhere. */
import {
  type AgentState,
  agentOf,
  countMessage,
  evaluatePermission,
  findFile,
  isShownWhole,
  isUnchangedAndVisible,
  type MessageId,
  type NewEvent,
  type OpenCall,
  type RunningTurn,
  refusedCallText,
  type ToolMessage,
  type ToolResultPart,
} from '@astroresearch/core';
import { type CallEvent, runCalls } from '../tools/executor.ts';
import { fitOutput } from '../tools/output.ts';
import { stampOf } from './stamp.ts';
import type { TurnParts } from './turn-parts.ts';

export async function* runTools(
  open: readonly OpenCall[],
  turn: RunningTurn,
  parts: TurnParts,
): AsyncGenerator<readonly NewEvent[]> {
  const calls = open.map(({ call }) => call);
  const events = runCalls(calls, {
    registry: parts.registry,
    decide: (tool) => evaluatePermission(turn.permissionMode, tool),
    limits: parts.toolLimits,
    clock: parts.clock,
    files: parts.files,
    sessionId: parts.log.sessionId,
    agentName: parts.agentName,
    turnIndex: turn.turnIndex,
    step: turn.step,
    language: turn.language,
    shownWhole: (path, hash) => shownWhole(agentOf(parts.log.state, parts.agentName), path, hash),
    tasks: parts.log.state.tasks,
    recall: (request) => parts.recall(parts.log.sessionId, { ...request, agentName: parts.agentName }),
    signal: parts.signal,
    refusals: refusalsOf(open, turn),
    started: new Set(open.flatMap(({ call, started }) => (started ? [call.toolCallId] : []))),
  });
  yield* duplicateNudges(open, turn, parts);
  for await (const batch of events) {
    const told: NewEvent[] = [];
    for (const event of batch) told.push(...(await eventsOf(event, turn, parts)));
    yield told;
  }
}

/** As the view stands when the tool asks: a compaction may have hidden what was shown. */
function shownWhole({ files, view }: AgentState, path: string, hash: string): MessageId | null {
  const known = findFile(files, path);
  return isUnchangedAndVisible(known, hash, (id) => isShownWhole(view, id)) ? (known?.shownBy ?? null) : null;
}

/** What the loop guard does not let run, with what the model is told instead. */
function refusalsOf(open: readonly OpenCall[], { language }: RunningTurn): ReadonlyMap<string, string> {
  return new Map(
    open.flatMap(({ call, verdict }): readonly [string, string][] =>
      verdict.kind === 'run' ? [] : [[call.toolCallId, refusedCallText(call.name, verdict, language)]],
    ),
  );
}

function* duplicateNudges(
  open: readonly OpenCall[],
  turn: RunningTurn,
  parts: TurnParts,
): Generator<readonly NewEvent[]> {
  const refused = open.filter(({ verdict, started }) => verdict.kind !== 'run' && !started);
  const stamp = stampOf(turn, parts);
  const { spentTokens } = turn;
  if (refused.length > 0)
    yield refused.map(() => ({ ...stamp, type: 'nudge', level: 'duplicate', spentTokens }));
}

async function eventsOf(event: CallEvent, turn: RunningTurn, parts: TurnParts): Promise<readonly NewEvent[]> {
  const stamp = stampOf(turn, parts);
  const { toolCallId, name } = event.call;
  switch (event.kind) {
    case 'intent':
      return [{ ...stamp, type: 'tool-call', toolCallId, name, arguments: event.arguments }];
    case 'outcome': {
      const { status, elapsedMs, file } = event;
      const { message, truncated } = await resultMessage(event, turn, parts);
      return [
        ...event.facts.map((fact) => ({ ...stamp, ...fact })),
        {
          ...stamp,
          type: 'tool-result',
          toolCallId,
          name,
          status,
          elapsedMs,
          truncated,
          message,
          ...(event.unchanged === true ? { unchanged: true } : {}),
          ...(file === undefined ? {} : { file: { ...file, whole: file.whole && !truncated } }),
        },
      ];
    }
    default:
      return event satisfies never;
  }
}

/** The text for the model is cut to its limit and names its own id, under which the whole can be recalled. */
async function resultMessage(
  outcome: Extract<CallEvent, { kind: 'outcome' }>,
  turn: RunningTurn,
  parts: TurnParts,
): Promise<{ readonly message: ToolMessage; readonly truncated: boolean }> {
  const id = parts.log.nextMessageId();
  const { toolCallId, name } = outcome.call;
  const fitted = fitOutput(outcome.output, parts.toolLimits.maxOutputChars, id, turn.language);
  const result: ToolResultPart = {
    type: 'tool-result',
    toolCallId,
    name,
    status: outcome.status,
    text: fitted.text,
  };
  const kept = fitted.truncated ? await keepWhole(outcome.output, parts) : null;
  const message: ToolMessage = {
    id,
    role: 'tool',
    agentName: parts.agentName,
    turnIndex: turn.turnIndex,
    step: turn.step,
    parts: [result],
    tokens: countMessage([result], parts.countTokens),
    createdAtMs: parts.clock.nowMs(),
    ...(kept === null ? {} : { fullOutput: kept }),
  };
  return { message, truncated: fitted.truncated };
}

/** Null where it could not be kept: the turn goes on with the cut text, and somebody is told. */
async function keepWhole(
  output: string,
  parts: TurnParts,
): Promise<NonNullable<ToolMessage['fullOutput']> | null> {
  try {
    const { sha256, chars } = await parts.outputs.save(output);
    return { sha256, chars };
  } catch (error) {
    parts.reportFault('keeping a long tool output', error);
    return null;
  }
}
