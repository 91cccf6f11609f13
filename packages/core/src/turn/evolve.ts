/** `evolve(state, event)`: what one more fact changes. Pure: folding a log twice gives equal states. */
import { breakerAfter } from '../breaker/circuit-breaker.ts';
import { type FileCache, noteFile, restoreCache, touchFile } from '../files/file-cache.ts';
import { isFromPerson, type Message, type MessageId, toolCallsOf } from '../message/message.ts';
import { addToBill, NO_BILL } from '../models/cost.ts';
import type { ModelFailure } from '../recovery/error-kind.ts';
import { addTokens, recordUsage } from '../tokens/context-size.ts';
import { addUsage, NO_USAGE, type Usage } from '../tokens/usage.ts';
import { applyEdits, isShownWhole, type View } from '../view/view.ts';
import { noteChange } from '../watch/news.ts';
import type { EventOf, TurnEvent } from './event.ts';
import { sendsAgain } from './request-event.ts';
import {
  type AgentState,
  type AnsweredRequest,
  agentOf,
  NEW_WATCH,
  type RunningTurn,
  type SessionState,
} from './state.ts';
import { afterNudge, afterResult, guardCalls } from './watch-turn.ts';

export function evolve(state: SessionState, event: TurnEvent): SessionState {
  switch (event.type) {
    case 'session-created':
      return { ...state, title: event.title, model: event.model };
    case 'session-updated':
      return { ...state, title: event.title };
    case 'session-deleted':
      return { ...state, deleted: true };
    case 'tasks':
      return withAgent({ ...state, tasks: event.tasks }, event.agentName, {
        ...withTurn(agentOf(state, event.agentName), ({ watch }) => ({
          watch: { ...watch, news: noteChange(watch.news) },
        })),
      });
    case 'session':
      return withAgent(
        {
          ...state,
          title: event.title,
          language: event.language,
          turnCount: event.turnIndex,
          answered: noteRequest(state.answered, event),
        },
        event.agentName,
        beginTurn(agentOf(state, event.agentName), event),
      );
    case 'message-queued':
      return withAgent(
        { ...state, answered: noteRequest(state.answered, event) },
        event.agentName,
        enqueue(agentOf(state, event.agentName), event.text),
      );
    default:
      return withAgent(state, event.agentName, evolveAgent(agentOf(state, event.agentName), event));
  }
}

type AgentEvent = Exclude<
  TurnEvent,
  { type: 'session-created' | 'session-updated' | 'session-deleted' | 'tasks' | 'session' | 'message-queued' }
>;

function evolveAgent(agent: AgentState, event: AgentEvent): AgentState {
  switch (event.type) {
    case 'message':
      return addMessage(agent, event.message, event);
    case 'tool-result':
      return withTurn(addMessage(withFile(agent, event), event.message), (turn) => afterResult(turn, event));
    case 'step':
      return withTurn({ ...agent, requests: agent.requests + 1 }, () => ({
        step: event.n,
        forced: event.forced,
        awaitsReply: true,
        failedAttempts: 0,
        waitedMs: 0,
        compactedFor: null,
      }));
    case 'tool-call':
      return withTurn(agent, (turn) => ({
        openCalls: turn.openCalls.map((open) =>
          open.call.toolCallId === event.toolCallId ? { ...open, started: true } : open,
        ),
      }));
    case 'nudge':
      return withTurn(agent, (turn) => ({ watch: afterNudge(turn, event) }));
    case 'compact-requested':
      return { ...agent, compactRequest: { keep: event.keep } };
    case 'compaction':
      return afterCompaction(agent, event);
    case 'cancel-requested':
      return withTurn(agent, () => ({ cancelRequested: true }));
    case 'attempt-failed':
      return withTurn(learnt(agent, event.failure), (turn) => ({
        failure: event.failure,
        failedAttempts: turn.failedAttempts + 1,
        ...spentOn(turn, event.usage, event.costUsd),
      }));
    case 'retry':
      return withTurn({ ...agent, requests: agent.requests + 1 }, (turn) => ({
        failure: null,
        waitedMs: turn.waitedMs + event.delayMs,
      }));
    case 'recovery':
      return afterRecovery(agent, event);
    case 'model-switch':
      return withTurn({ ...agent, requests: agent.requests + 1 }, () => ({
        model: event.to,
        failure: null,
        failedAttempts: 0,
        compactedFor: null,
      }));
    case 'turn-resumed':
      return afterResume(agent, event.sendsAgain);
    case 'turn-suspended':
      return withTurn(agent, () => ({ suspended: true }));
    case 'queue-taken':
      return withTurn({ ...agent, queue: agent.queue.slice(event.count) }, () => ({ answer: null }));
    case 'usage':
    case 'error':
      return agent;
    case 'done':
      return { ...agent, turn: { phase: 'resting' } };
    default:
      return event satisfies never;
  }
}

/** Requests that are remembered, so that a repeat is known for one. */
const REMEMBERED_REQUESTS = 200;

function noteRequest(
  answered: readonly AnsweredRequest[],
  { request, turnId, seq }: EventOf<'session' | 'message-queued'>,
): readonly AnsweredRequest[] {
  if (request === undefined || turnId === null) return answered;
  return [...answered.slice(1 - REMEMBERED_REQUESTS), { ...request, turnId, seq }];
}

function enqueue(agent: AgentState, text: string): AgentState {
  return { ...agent, queue: [...agent.queue, { text }] };
}

function afterResume(agent: AgentState, sendsAgain: boolean): AgentState {
  return withTurn(sendsAgain ? { ...agent, requests: agent.requests + 1 } : agent, (turn) => ({
    resumes: turn.suspended ? turn.resumes : turn.resumes + 1,
    suspended: false,
  }));
}

function beginTurn(agent: AgentState, event: EventOf<'session'>): AgentState {
  return {
    ...agent,
    toolTokens: event.toolTokens,
    contextSize: addTokens(agent.contextSize, event.toolTokens - agent.toolTokens),
    turn: {
      phase: 'running',
      turnId: event.turnId ?? '',
      turnIndex: event.turnIndex,
      model: event.model,
      enableThinking: event.enableThinking,
      permissionMode: event.permissionMode,
      language: event.language,
      maxSteps: event.maxSteps,
      step: 0,
      forced: null,
      awaitsReply: false,
      openCalls: [],
      answer: null,
      cancelRequested: false,
      resumes: 0,
      suspended: false,
      failure: null,
      failedAttempts: 0,
      waitedMs: 0,
      recovered: [],
      maxOutputTokens: null,
      compactedFor: null,
      usage: NO_USAGE,
      bill: NO_BILL,
      suspectedTruncation: false,
      spentTokens: 0,
      pollTools: event.pollTools,
      writeTools: event.writeTools,
      canPlan: event.canPlan,
      watch: NEW_WATCH,
    },
  };
}

type Call = Pick<EventOf<'message'>, 'usage' | 'costUsd' | 'suspectedTruncation'>;

function addMessage(agent: AgentState, message: Message, call: Call = {}): AgentState {
  const { usage } = call;
  const grown: AgentState = {
    ...agent,
    view: agent.view.append(message),
    contextSize:
      usage === undefined
        ? addTokens(agent.contextSize, message.tokens)
        : recordUsage(agent.contextSize, usage, message.tokens),
  };
  return withTurn(grown, (turn) => ({
    spentTokens: turn.spentTokens + (isSpent(message) ? message.tokens : 0),
    // It got further: what made its process die is behind it.
    resumes: 0,
    ...(message.role === 'assistant' ? afterReply(turn, message, call) : {}),
  }));
}

/** What a person wrote, and the prompt, were not spent by the agent: a long question leaves it its whole budget. */
function isSpent(message: Message): boolean {
  return message.role !== 'system' && !isFromPerson(message);
}

function afterReply(
  turn: RunningTurn,
  message: Message & { role: 'assistant' },
  { usage, costUsd, suspectedTruncation }: Call,
): Partial<RunningTurn> {
  const calls = toolCallsOf(message);
  const { guard, openCalls } = guardCalls(turn, calls);
  return {
    openCalls,
    answer: calls.length === 0 ? message : null,
    awaitsReply: false,
    failure: null,
    ...spentOn(turn, usage, costUsd),
    suspectedTruncation: turn.suspectedTruncation || suspectedTruncation === true,
    watch: { ...turn.watch, guard, planned: calls.some((call) => call.name === 'todo_write') },
  };
}

/** One more call, or some, that the provider counts. */
function spentOn(
  turn: RunningTurn,
  usage: Usage | undefined,
  costUsd: number | undefined,
): Pick<RunningTurn, 'usage' | 'bill'> {
  if (usage === undefined) return { usage: turn.usage, bill: turn.bill };
  return { usage: addUsage(turn.usage, usage), bill: addToBill(turn.bill, costUsd) };
}

/** A window that a refusal names is believed from then on. */
function learnt(agent: AgentState, { kind, windowTokens }: ModelFailure): AgentState {
  if (kind !== 'context_too_long' || windowTokens === undefined || agent.turn.phase === 'resting')
    return agent;
  return { ...agent, learntWindows: { ...agent.learntWindows, [agent.turn.model]: windowTokens } };
}

/** A rung that was taken sends another request; one that was skipped leaves the failure to the next. */
function afterRecovery(agent: AgentState, event: EventOf<'recovery'>): AgentState {
  // A history that was mended on its way out is no answer to a failure.
  if (agent.turn.phase === 'resting' || agent.turn.failure === null) return agent;
  const again = sendsAgain(event);
  return withTurn(again ? { ...agent, requests: agent.requests + 1 } : agent, (turn) => ({
    recovered: [...turn.recovered, event.action],
    maxOutputTokens: event.maxOutputTokens ?? turn.maxOutputTokens,
    ...(again ? { failure: null } : {}),
  }));
}

/** Usage reported before a compaction says nothing of the view after it: our own count stands until the next report. */
function afterCompaction(agent: AgentState, event: EventOf<'compaction'>): AgentState {
  const view = event.edits.length === 0 ? agent.view : applyEdits(agent.view, event.edits);
  const breaker = event.breakerEvents.reduce(
    (state, breakerEvent) => breakerAfter(state, breakerEvent, event.atMs),
    agent.breaker,
  );
  const contextSize =
    event.edits.length === 0
      ? agent.contextSize
      : { ...agent.contextSize, countedTokens: agent.toolTokens + countedTokens(view), anchor: null };
  const { tokensAfter: lastCompactedTokens, fixedTokens = 0, largestPinnedTokens = 0 } = event;
  const immovable = { fixedTokens, largestPinnedTokens };
  const files = event.edits.length === 0 ? agent.files : filesAfter(agent.files, view, event);
  return withTurn(
    { ...agent, view, breaker, contextSize, compactRequest: null, lastCompactedTokens, immovable, files },
    (turn) => ({
      // Room that was made for a step that has begun says nothing of the next one.
      watch: { ...turn.watch, compactedBeforeStep: turn.awaitsReply ? turn.step : turn.step + 1 },
      compactedFor: event.forModel ?? turn.compactedFor,
      ...spentOn(turn, event.summaryUsage, event.summaryCostUsd),
    }),
  );
}

function withFile(agent: AgentState, event: EventOf<'tool-result'>): AgentState {
  const { file, message, unchanged, atMs } = event;
  if (file === undefined) return agent;
  if (unchanged === true) return { ...agent, files: touchFile(agent.files, file.path, atMs) };
  // What was written stands in the arguments of the call, not in its result.
  const shownBy = file.did === 'wrote' ? callerOf(agent.view, event.toolCallId) : message.id;
  return { ...agent, files: noteFile(agent.files, file, shownBy ?? message.id, atMs) };
}

function callerOf(view: View, toolCallId: string): MessageId | undefined {
  for (let index = view.length - 1; index >= 0; index--) {
    const message = view.at(index);
    if (message === undefined) continue;
    if (toolCallsOf(message).some((call) => call.toolCallId === toolCallId)) return message.id;
  }
  return undefined;
}

function filesAfter(
  { entries }: FileCache,
  view: View,
  { restored, restoredBy }: EventOf<'compaction'>,
): FileCache {
  const block =
    restored === undefined || restoredBy === undefined ? null : { message: restoredBy, files: restored };
  return restoreCache(entries, block, (id) => isShownWhole(view, id));
}

function countedTokens(view: View): number {
  let tokens = 0;
  for (const message of view) tokens += message.tokens;
  return tokens;
}

function withAgent(state: SessionState, agentName: string, agent: AgentState): SessionState {
  return { ...state, agents: { ...state.agents, [agentName]: agent } };
}

function withTurn(agent: AgentState, change: (turn: RunningTurn) => Partial<RunningTurn>): AgentState {
  if (agent.turn.phase === 'resting') return agent;
  return { ...agent, turn: { ...agent.turn, ...change(agent.turn) } };
}
