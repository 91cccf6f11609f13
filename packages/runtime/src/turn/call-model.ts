/** Performs one model call: announces the step, streams the reply to readers, gives the finished message. */
import {
  type Action,
  type AgentState,
  addTokens,
  type Breach,
  estimateContext,
  isBelievable,
  isSuspectedTruncation,
  type NewEvent,
  outOfStepsText,
  outputLimit,
  type RunningTurn,
  repairTexts,
  settleUsage,
} from '@astroresearch/core';
import type { ModelRequest } from '../llm/language-model.ts';
import { userMessage } from './new-message.ts';
import { pricedBy } from './priced-by.ts';
import { collectReply } from './reply.ts';
import { stampOf } from './stamp.ts';
import type { TurnParts } from './turn-parts.ts';

type CallModel = Extract<Action, { kind: 'call-model' }>;

export async function* callModel(
  action: CallModel,
  agent: AgentState,
  turn: RunningTurn,
  parts: TurnParts,
): AsyncGenerator<readonly NewEvent[]> {
  const { log, agentName } = parts;
  const stamp = () => ({ ...stampOf(turn, parts), step: action.step });

  if (action.step > turn.step) yield openingEvents(action, agent, turn, parts);

  const current = log.state.agents[agentName] ?? agent;
  parts.ahead.start(current, turn, parts);
  const { messages, breaches } = parts.check.toRequest(current.view, repairTexts(turn.language));
  if (breaches.length > 0) {
    parts.reportFault('a request that breaks the rules; it was repaired', new BrokenRequest(breaches));
    yield [{ ...stamp(), type: 'recovery', kind: 'tool_pairing', action: 'repair_history' }];
  }
  const requestTokens = estimateContext(current.contextSize);
  const maxOutputTokens =
    turn.maxOutputTokens ??
    (parts.model.needsOutputLimit ? outputLimit(current, parts.settings, requestTokens) : null);
  const request: ModelRequest = {
    purpose: 'turn',
    model: turn.model,
    messages,
    tools: parts.toolSchemas,
    toolChoice: action.forced === null ? 'auto' : 'none',
    enableThinking: turn.enableThinking,
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
  };
  const reply = await collectReply(parts.model.stream(request, parts.signal), {
    signal: parts.signal,
    toolsOffered: action.forced === null,
    isKnownCall: (toolCallId) => log.hasCall(toolCallId),
    newId: parts.ids,
    publish: (event) => log.publish({ ...stamp(), ...event }),
  });

  switch (reply.kind) {
    case 'message': {
      const message = {
        ...reply.message,
        id: log.nextMessageId(),
        agentName,
        turnIndex: turn.turnIndex,
        step: action.step,
        tokens: reply.countTokens(parts.countTokens),
        createdAtMs: parts.clock.nowMs(),
      };
      const usage = settleUsage(current.contextSize, reply.usage, message.tokens);
      const suspected = isSuspectedTruncation(usage, requestTokens);
      yield [
        {
          ...stamp(),
          type: 'message',
          message,
          usage,
          ...pricedBy(turn.model, usage, parts.settings),
          ...(suspected ? { suspectedTruncation: true as const } : {}),
        },
      ];
      break;
    }
    case 'failed':
      yield [
        {
          ...stamp(),
          type: 'attempt-failed',
          failure: reply.failure,
          ...(reply.usage === null || !isBelievable(reply.usage, requestTokens)
            ? {}
            : { usage: reply.usage, ...pricedBy(turn.model, reply.usage, parts.settings) }),
        },
      ];
      break;
    case 'nothing':
      break;
    default:
      reply satisfies never;
  }
}

/** A fault of the engine: no view that it makes may break a rule. */
export class BrokenRequest extends Error {
  override readonly name = 'BrokenRequest';
  constructor(breaches: readonly Breach[]) {
    super(breaches.map(({ rule, messageId, detail }) => `${rule}: ${messageId} (${detail})`).join('; '));
  }
}

/** What is stored before the call: the reminder that ends the tools, if due, and the step itself. */
function openingEvents(
  action: CallModel,
  agent: AgentState,
  turn: RunningTurn,
  parts: TurnParts,
): readonly NewEvent[] {
  const stamp = { ...stampOf(turn, parts), step: action.step };
  const reminder =
    action.forced === 'max_steps'
      ? userMessage(parts, turn, outOfStepsText(turn.maxSteps, turn.language), 'nudge')
      : null;
  const added = reminder?.tokens ?? 0;
  return [
    ...(reminder === null ? [] : [{ ...stamp, type: 'message' as const, message: reminder }]),
    {
      ...stamp,
      type: 'step',
      n: action.step,
      estimatedTokens: estimateContext(addTokens(agent.contextSize, added)),
      spentTokens: turn.spentTokens + added,
      forced: action.forced,
    },
  ];
}
