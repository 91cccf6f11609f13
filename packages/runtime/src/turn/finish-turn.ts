/** Closes a turn: a result for every open call, the error if there was one, the totals, `done`. */
import {
  countMessage,
  explainFailure,
  explainInterruption,
  type FinishAction,
  isRetryable,
  type NewEvent,
  type OpenCall,
  type RunningTurn,
  type ToolResultPart,
  totalUsd,
  unfinishedCallText,
} from '@astroresearch/core';
import { stampOf } from './stamp.ts';
import type { TurnParts } from './turn-parts.ts';

type FinishParts = Pick<TurnParts, 'agentName' | 'clock' | 'countTokens'> & {
  readonly log: Pick<TurnParts['log'], 'nextMessageId'>;
};

export function finishTurn(action: FinishAction, turn: RunningTurn, parts: FinishParts): readonly NewEvent[] {
  const stamp = stampOf(turn, parts);
  const usd = totalUsd(turn.bill);
  return [
    ...action.close.calls.flatMap((open) => closingEvents(open, action.close.status, turn, parts)),
    ...(action.status === 'failed' ? [{ ...stamp, type: 'error' as const, ...errorOf(action, turn) }] : []),
    {
      ...stamp,
      type: 'usage',
      usage: turn.usage,
      spentTokens: turn.spentTokens,
      ...(usd === null ? {} : { costUsd: usd }),
      ...(turn.suspectedTruncation ? { suspectedTruncation: true as const } : {}),
      steps: turn.step,
    },
    {
      ...stamp,
      type: 'done',
      status: action.status,
      ...(action.messageId === null ? {} : { messageId: action.messageId }),
    },
  ];
}

function errorOf(action: FinishAction, turn: RunningTurn) {
  if (action.failure === null) {
    return { kind: 'interrupted', message: explainInterruption(turn.language), retryable: true };
  }
  return {
    kind: action.failure.kind,
    message: explainFailure(action.failure, turn.language),
    retryable: isRetryable(action.failure.kind),
  };
}

/** A call that was never announced is announced first, so that readers can match every result. */
function closingEvents(
  open: OpenCall,
  status: 'cancelled' | 'interrupted',
  turn: RunningTurn,
  parts: FinishParts,
): readonly NewEvent[] {
  const { toolCallId, name } = open.call;
  const stamp = stampOf(turn, parts);
  const result: ToolResultPart = {
    type: 'tool-result',
    toolCallId,
    name,
    status,
    text: unfinishedCallText(status, turn.language),
  };
  const announced: NewEvent = {
    ...stamp,
    type: 'tool-call',
    toolCallId,
    name,
    arguments: open.call.arguments,
  };
  return [
    ...(open.started ? [] : [announced]),
    {
      ...stamp,
      type: 'tool-result',
      toolCallId,
      name,
      status,
      elapsedMs: 0,
      truncated: false,
      message: {
        id: parts.log.nextMessageId(),
        role: 'tool',
        agentName: parts.agentName,
        turnIndex: turn.turnIndex,
        step: turn.step,
        parts: [result],
        tokens: countMessage([result], parts.countTokens),
        createdAtMs: parts.clock.nowMs(),
      },
    },
  ];
}
