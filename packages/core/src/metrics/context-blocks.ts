/** What a request carries, block by block, and what of it the provider's cache holds: the context X-ray (ui.md). */
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import { refOf } from '../compaction/texts.ts';
import { coverage, type Message, type Role, type SyntheticKind } from '../message/message.ts';
import { estimateContext } from '../tokens/context-size.ts';
import type { AgentState } from '../turn/state.ts';
import type { Change, FoundRequest } from './request-at.ts';
import { shareTokens } from './share-tokens.ts';

export type BlockKind =
  | 'tools'
  | 'system'
  | 'user'
  | 'assistant'
  | 'tool_result'
  | 'masked_result'
  | SyntheticKind;

export type ContextBlock = {
  /** `tools`: the schemas of the offered tools, which are part of the request and no message of it. */
  readonly role: Role | 'tools';
  readonly kind: BlockKind;
  /** Where the originals are: `m42`, or `m4-m31` of what stands for a range. Null for the tools. */
  readonly ref: string | null;
  /** Calibrated, at least 1; those of all blocks add up to the estimate of the request. */
  readonly tokens: number;
  /** The request before began with the same blocks up to this one, for the same model. */
  readonly cached: boolean;
  readonly createdAtMs: number | null;
  /** How compaction came to put this here. `tokensSaved` is calibrated. */
  readonly replacedBy: Change | null;
};

export type ContextTotals = {
  readonly tools: number;
  /** The system prompt without its memories. */
  readonly system: number;
  readonly memory: number;
  /** Words of people and of the model. */
  readonly history: number;
  readonly toolResults: number;
  /** What stands for earlier messages. */
  readonly summary: number;
  readonly restoredFiles: number;
  readonly reminders: number;
};

export type RequestContext = {
  readonly request: number;
  readonly isNext: boolean;
  readonly blocks: readonly ContextBlock[];
  /** They add up to `tokens`. */
  readonly totals: ContextTotals;
  readonly tokens: number;
  readonly cachedPrefixTokens: number;
  /** At that moment. */
  readonly breaker: CircuitBreaker['state'];
};

export function requestContext({ request, isNext, agent, previous, changes }: FoundRequest): RequestContext {
  const scale = scaleOf(agent);
  const hasTools = agent.toolTokens > 0;
  const messages = [...agent.view];
  const weights = [...(hasTools ? [agent.toolTokens] : []), ...messages.map((message) => message.tokens)];
  const shares = shareTokens(weights, estimateContext(agent.contextSize));
  const cachedMessages = previous === null ? -1 : commonPrefix(previous, agent);

  const tools: readonly ContextBlock[] = hasTools ? [toolsBlock(shares[0] ?? 1, cachedMessages >= 0)] : [];
  const blocks = messages.map((message, index): ContextBlock => {
    const change = changes.get(message.id);
    return {
      role: message.role,
      kind: kindOf(message),
      ref: refOf(coverage(message)),
      tokens: shares[index + tools.length] ?? 1,
      cached: index < cachedMessages,
      createdAtMs: message.createdAtMs,
      replacedBy:
        change === undefined ? null : { ...change, tokensSaved: Math.round(change.tokensSaved * scale) },
    };
  });
  const all = [...tools, ...blocks];
  return {
    request,
    isNext,
    blocks: all,
    totals: totalsOf(all, memoryTokens(messages[0]) * scale),
    tokens: sumOf(all),
    cachedPrefixTokens: sumOf(all.filter((block) => block.cached)),
    breaker: agent.breaker.state,
  };
}

/** Calibrated tokens per counted token. */
function scaleOf({ contextSize }: AgentState): number {
  const { countedTokens } = contextSize;
  return countedTokens === 0 ? 1 : estimateContext(contextSize) / countedTokens;
}

/** So many messages begin both requests; -1 where not even the tools are the same, or the model is another. */
function commonPrefix(previous: AgentState, agent: AgentState): number {
  const { turn } = agent;
  const otherModel =
    turn.phase === 'running' && previous.turn.phase === 'running' && turn.model !== previous.turn.model;
  if (otherModel || previous.toolTokens !== agent.toolTokens) return -1;
  let length = 0;
  for (const message of agent.view) {
    const before = previous.view.at(length);
    if (before === undefined || !readsTheSame(before, message)) break;
    length++;
  }
  return length;
}

function readsTheSame(a: Message, b: Message): boolean {
  return a === b || (a.role === b.role && JSON.stringify(a.parts) === JSON.stringify(b.parts));
}

function toolsBlock(tokens: number, cached: boolean): ContextBlock {
  return { role: 'tools', kind: 'tools', ref: null, tokens, cached, createdAtMs: null, replacedBy: null };
}

function kindOf(message: Message): BlockKind {
  switch (message.role) {
    case 'system':
    case 'assistant':
      return message.role;
    case 'user':
      return message.kind ?? 'user';
    case 'tool':
      return message.masked === true ? 'masked_result' : 'tool_result';
    default:
      return message satisfies never;
  }
}

function memoryTokens(first: Message | undefined): number {
  return first?.role === 'system' ? (first.memoryTokens ?? 0) : 0;
}

function totalsOf(blocks: readonly ContextBlock[], memoryTokens: number): ContextTotals {
  const totals = {
    tools: 0,
    system: 0,
    memory: 0,
    history: 0,
    toolResults: 0,
    summary: 0,
    restoredFiles: 0,
    reminders: 0,
  };
  for (const { kind, tokens } of blocks) totals[groupOf(kind)] += tokens;
  const memory = Math.min(totals.system, Math.round(memoryTokens));
  return { ...totals, system: totals.system - memory, memory };
}

function groupOf(kind: BlockKind): keyof ContextTotals {
  switch (kind) {
    case 'tools':
    case 'system':
      return kind;
    case 'user':
    case 'assistant':
      return 'history';
    case 'tool_result':
    case 'masked_result':
      return 'toolResults';
    case 'summary':
    case 'placeholder':
      return 'summary';
    case 'restored_file':
      return 'restoredFiles';
    case 'task_state':
    case 'nudge':
    case 'notification':
    case 'identity':
    case 'recovery':
      return 'reminders';
    default:
      return kind satisfies never;
  }
}

function sumOf(blocks: readonly ContextBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.tokens, 0);
}
