/** Finds one past or the next request of an agent again, by folding its log up to it (context.md 1). */
import type { CompactionTrigger } from '../compaction/outcome.ts';
import { type Message, type MessageId, messageId, ordinalOf } from '../message/message.ts';
import type { EventOf, TurnEvent } from '../turn/event.ts';
import { evolve } from '../turn/evolve.ts';
import { type AgentState, agentOf, NEW_SESSION } from '../turn/state.ts';
import type { ContextEdit, EditLayer } from '../view/edit.ts';

/** Why a message of a view is not, or not as it is, in the store. */
export type Change = {
  readonly layer: EditLayer;
  /** The request that first carried it so. */
  readonly atRequest: number;
  readonly trigger: CompactionTrigger;
  readonly reason: ChangeReason;
  /** Less than the originals, as counted: not calibrated. */
  readonly tokensSaved: number;
};

export type ChangeReason = Extract<ContextEdit, { kind: 'rewrite' }>['reason'] | 'summary' | 'placeholder';

export type FoundRequest = {
  readonly kind: 'found';
  /** From 1. */
  readonly request: number;
  /** It has not been made yet: what it will carry, as things stand. */
  readonly isNext: boolean;
  /** The agent as it was when the request was made; `agent.view` are its messages. */
  readonly agent: AgentState;
  /** The same for the request before; null for the first. */
  readonly previous: AgentState | null;
  readonly changes: ReadonlyMap<MessageId, Change>;
};

export type RequestLookup =
  | FoundRequest
  /** There is none of this number. The agent has made so many; the next one can be asked for as well. */
  | { readonly kind: 'beyond'; readonly requests: number };

/** `events`: the session's log from its beginning. `wanted`: from 1; null is the next. Costs one pass up to the request. */
export function requestAt(
  events: Iterable<TurnEvent>,
  agentName: string,
  wanted: number | null,
): RequestLookup {
  const changes = new Changes();
  let state = NEW_SESSION;
  let previous: AgentState | null = null;
  for (const event of events) {
    if (event.agentName !== agentName) continue;
    const { requests } = agentOf(state, agentName);
    state = evolve(state, event);
    changes.note(event);
    const agent = agentOf(state, agentName);
    if (agent.requests === requests) continue;
    if (agent.requests === wanted) return found(agent, agent.requests, false);
    previous = agent;
  }
  const agent = agentOf(state, agentName);
  const next = agent.requests + 1;
  if (wanted === null || wanted === next) return found(agent, next, true);
  return { kind: 'beyond', requests: agent.requests };

  function found(agent: AgentState, request: number, isNext: boolean): FoundRequest {
    return { kind: 'found', request, isNext, agent, previous, changes: changes.byMessage };
  }
}

class Changes {
  readonly byMessage = new Map<MessageId, Change>();
  /** Tokens of the stored messages. */
  readonly #stored = new Map<MessageId, number>();

  note(event: TurnEvent): void {
    if (event.type === 'message' || event.type === 'tool-result') this.#store(event.message);
    if (event.type === 'compaction') for (const edit of event.edits) this.#change(edit, event);
  }

  #store(message: Message): void {
    this.#stored.set(message.id, message.tokens);
  }

  #change(edit: ContextEdit, { trigger, request }: EventOf<'compaction'>): void {
    const how = { layer: edit.layer, atRequest: request, trigger };
    switch (edit.kind) {
      case 'rewrite': {
        const tokensSaved = (this.#stored.get(edit.message) ?? edit.tokens) - edit.tokens;
        this.byMessage.set(edit.message, { ...how, reason: edit.reason, tokensSaved });
        break;
      }
      case 'replace': {
        const { id, covers, kind, tokens } = edit.replacement;
        let originals = 0;
        for (let ordinal = ordinalOf(covers.from); ordinal <= ordinalOf(covers.to); ordinal++) {
          originals += this.#stored.get(messageId(ordinal)) ?? 0;
        }
        const reason = kind === 'summary' ? 'summary' : 'placeholder';
        this.byMessage.set(id, { ...how, reason, tokensSaved: originals - tokens });
        break;
      }
      default:
        edit satisfies never;
    }
  }
}
