/** Folds the wire events of a session into what people see (ui.md, Research; api.md, Events). Web and CLI share it. */

import type { Task } from '../prompt/task.ts';
import type { DoneStatus } from '../turn/event.ts';
import type { WireEvent } from '../turn/wire.ts';
import type { TurnUsage } from './timeline-item.ts';
import { foldNotice } from './timeline-notice.ts';
import { closeStreams, discardStreams, foldReply, streamText, streamThought } from './timeline-reply.ts';
import { appendItem, isLead, originOf, type Timeline, type TurnProgress } from './timeline-state.ts';
import { beginToolCall, closeToolCalls, finishToolCall } from './timeline-tool.ts';
import { numberField, recordField, recordsField, textField, wordField } from './wire-fields.ts';

/**
 * Pure and total: a durable event that was seen before, an unknown type, a field of the wrong shape change nothing
 * or little, and never throw. A session folded live and folded again from its log gives the same items.
 */
export function foldTimeline(timeline: Timeline, event: WireEvent): Timeline {
  if (event.seq === null) return foldEvent(timeline, event);
  if (event.seq <= timeline.lastSeq) return timeline;
  return { ...foldEvent(timeline, event), lastSeq: event.seq };
}

function foldEvent(timeline: Timeline, event: WireEvent): Timeline {
  const { data } = event;
  switch (event.type) {
    case 'session_created':
    case 'session_updated':
      return { ...timeline, title: textField(data, 'title') };
    case 'session':
      return isLead(data) ? beginTurn(timeline, event) : timeline;
    case 'step':
      return isLead(data) ? beginStep(timeline, event) : timeline;
    case 'thought':
      return streamThought(timeline, data, (before) => before + textField(data, 'text'));
    case 'thought_snapshot':
      return streamThought(timeline, data, () => textField(data, 'text'));
    case 'text_delta':
      return streamText(timeline, data, (before) => before + textField(data, 'text'));
    case 'text_snapshot':
      return streamText(timeline, data, () => textField(data, 'text'));
    case 'message':
      return foldMessage(timeline, event);
    case 'tool_call':
      return beginToolCall(timeline, data);
    case 'tool_result':
      return finishToolCall(timeline, data);
    case 'tasks':
      return { ...timeline, tasks: tasksOf(event) };
    case 'cancel_requested':
      return timeline.turn === null ? timeline : { ...timeline, turn: { ...timeline.turn, stopping: true } };
    case 'attempt_failed':
      return foldNotice(discardStreams(timeline, data), event);
    case 'error':
      return appendItem(timeline, {
        ...originOf(data),
        type: 'error',
        kind: textField(data, 'kind'),
        message: textField(data, 'message'),
        retryable: data.retryable === true,
      });
    case 'usage':
      return isLead(data) ? foldUsage(timeline, event) : timeline;
    case 'done':
      return isLead(data) ? endTurn(timeline, event) : timeline;
    default:
      return foldNotice(timeline, event);
  }
}

function beginTurn(timeline: Timeline, { type, data, seq }: WireEvent): Timeline {
  const turn: TurnProgress = {
    turnId: data.turn_id,
    model: textField(data, 'model'),
    startedAt: textField(data, 'ts'),
    step: 0,
    maxSteps: numberField(data, 'max_steps'),
    contextTokens: 0,
    stopping: false,
    usage: null,
    status: null,
  };
  const title = textField(data, 'title') || timeline.title;
  return foldNotice({ ...timeline, title, running: data.turn_id, turn }, { type, data, seq });
}

function beginStep(timeline: Timeline, { data }: WireEvent): Timeline {
  const closed = closeStreams(timeline, data);
  if (closed.turn === null) return closed;
  const contextTokens = numberField(data, 'estimated_tokens');
  return { ...closed, turn: { ...closed.turn, step: numberField(data, 'n'), contextTokens } };
}

function foldMessage(timeline: Timeline, { data }: WireEvent): Timeline {
  switch (textField(data, 'role')) {
    case 'assistant':
      return foldReply(timeline, data);
    case 'user': {
      // The engine's own messages (task state, summaries, nudges) carry their kind; people did not write them.
      if (!isLead(data) || textField(recordField(data, 'metadata'), 'kind') !== '') return timeline;
      const messageId = textField(data, 'message_id');
      return appendItem(timeline, {
        ...originOf(data),
        type: 'user',
        messageId,
        text: textField(data, 'content'),
      });
    }
    default:
      return timeline;
  }
}

function tasksOf({ data }: WireEvent): readonly Task[] {
  return recordsField(data, 'tasks').map((task) => ({
    id: textField(task, 'id'),
    content: textField(task, 'content'),
    status: wordField(task, 'status', ['pending', 'in_progress', 'completed'], 'pending'),
    blockedBy: Array.isArray(task.blocked_by) ? task.blocked_by.filter((id) => typeof id === 'string') : [],
  }));
}

function foldUsage(timeline: Timeline, event: WireEvent): Timeline {
  const { data } = event;
  const usage: TurnUsage = {
    promptTokens: numberField(data, 'prompt_tokens'),
    completionTokens: numberField(data, 'completion_tokens'),
    cachedTokens: numberField(data, 'cached_tokens'),
    reasoningTokens: numberField(data, 'reasoning_tokens'),
    spentTokens: numberField(data, 'spent_tokens'),
    steps: numberField(data, 'steps'),
    costUsd: typeof data.cost_usd === 'number' ? numberField(data, 'cost_usd') : null,
  };
  const total: TurnUsage = {
    promptTokens: timeline.usage.promptTokens + usage.promptTokens,
    completionTokens: timeline.usage.completionTokens + usage.completionTokens,
    cachedTokens: timeline.usage.cachedTokens + usage.cachedTokens,
    reasoningTokens: timeline.usage.reasoningTokens + usage.reasoningTokens,
    spentTokens: timeline.usage.spentTokens + usage.spentTokens,
    steps: timeline.usage.steps + usage.steps,
    costUsd:
      timeline.usage.costUsd === null || usage.costUsd === null
        ? null
        : timeline.usage.costUsd + usage.costUsd,
  };
  const turn = timeline.turn === null ? null : { ...timeline.turn, usage };
  return foldNotice({ ...timeline, usage: total, turn }, event);
}

const DONE_STATUSES = [
  'completed',
  'cancelled',
  'failed',
  'max_steps',
  'over_budget',
  'diminishing',
] as const satisfies readonly DoneStatus[];

function endTurn(timeline: Timeline, { data }: WireEvent): Timeline {
  const status = wordField(data, 'status', DONE_STATUSES, 'failed');
  const closed = closeToolCalls(closeStreams(timeline, data));
  const turn = closed.turn === null ? null : { ...closed.turn, status, stopping: false };
  const ended = appendItem(closed, {
    ...originOf(data),
    type: 'turn-end',
    status,
    usage: turn?.usage ?? null,
    startedAt: turn?.startedAt ?? '',
  });
  return { ...ended, running: null, turn };
}
