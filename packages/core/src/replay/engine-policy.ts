/** The product's own context engine as a replay policy: the same events, decisions and compactions, no model. */
import {
  type Compaction,
  type CompactionNeed,
  type CompactionReply,
  compress,
} from '../compaction/compress.ts';
import { chooseLanguage, type Language } from '../message/language.ts';
import { isFromPerson, type Message, type MessageId, messageId, textOf } from '../message/message.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import { compactionLimits } from '../turn/compaction-limits.ts';
import { needsCompaction } from '../turn/decide.ts';
import type { NewEvent } from '../turn/event.ts';
import { evolve } from '../turn/evolve.ts';
import type { Settings } from '../turn/settings.ts';
import { type AgentState, agentOf, LEAD, NEW_SESSION, type SessionState } from '../turn/state.ts';
import type { LayerName } from '../view/edit.ts';
import type { PolicyRun, ReplayPolicy } from './policy.ts';

export type EnginePolicyOptions = {
  readonly name: string;
  readonly settings: Settings;
  readonly count: TokenCounter;
  /** Left out: all. */
  readonly layers?: readonly LayerName[];
};

/** Contract: the recording is a valid history (`repairHistory`). Summaries are extracts: they cost no model call. */
export function enginePolicy(options: EnginePolicyOptions): ReplayPolicy {
  return {
    name: options.name,
    start: () => {
      const run = new EngineRun(options);
      return { next: (added) => run.next(added), storedOrdinal: (index) => run.storedOrdinal(index) };
    },
  };
}

class EngineRun {
  readonly #options: EnginePolicyOptions;
  #state: SessionState = NEW_SESSION;
  #messages = 0;
  #turns = 0;
  #language: Language = 'en';
  readonly #ordinals: number[] = [];
  readonly #stored = new Map<MessageId, Message>();

  constructor(options: EnginePolicyOptions) {
    this.#options = options;
  }

  storedOrdinal(index: number): number {
    return this.#ordinals[index] ?? 0;
  }

  next(added: readonly Message[]): ReturnType<PolicyRun['next']> {
    for (const message of added) this.#take(message);
    if (this.#turns === 0) this.#beginTurn();
    const compaction = this.#compactIfDue();
    this.#write({ type: 'step', n: this.#step() + 1, estimatedTokens: 0, spentTokens: 0, forced: null });
    return {
      messages: this.#agent().view.toArray(),
      compactions: compaction === null || compaction.edits.length === 0 ? 0 : 1,
      summariserInputTokens: 0,
      summariserOutputTokens: 0,
    };
  }

  #take(message: Message): void {
    if (isFromPerson(message)) {
      if (this.#turns === 0) this.#language = chooseLanguage('auto', textOf(message));
      this.#beginTurn();
    }
    const id = this.#nextId();
    this.#ordinals.push(this.#messages);
    const stored = { ...message, id, turnIndex: this.#turns } as Message;
    this.#stored.set(id, stored);
    this.#write({ type: 'message', message: stored });
  }

  #compactIfDue(): Compaction | null {
    const agent = this.#agent();
    const { turn } = agent;
    if (turn.phase === 'resting') return null;
    const action = needsCompaction(turn, this.#options.settings, agent);
    if (action === null) return null;
    const { settings, count, layers } = this.#options;
    const steps = compress(
      [...agent.view],
      {
        limits: compactionLimits(agent, settings),
        language: this.#language,
        tasks: [],
        count,
        nextId: () => this.#nextId(),
        agentName: LEAD,
        turnIndex: this.#turns,
        step: turn.step,
        nowMs: 0,
      },
      layers === undefined ? {} : { layers },
    );
    let next = steps.next();
    while (next.done !== true) next = steps.next(this.#replyTo(next.value));
    this.#store(next.value, agent);
    return next.value;
  }

  #replyTo(need: CompactionNeed): CompactionReply {
    if (need.kind === 'summary') return { kind: 'none' };
    return { kind: 'originals', messages: need.ids.flatMap((id) => this.#stored.get(id) ?? []) };
  }

  #store(compaction: Compaction, agent: AgentState): void {
    const { outcome, edits, appended, messages, layers, tokensBefore, tokensAfter, success } = compaction;
    const { fixedTokens, largestPinnedTokens } = compaction;
    this.#write({
      type: 'compaction',
      trigger: 'auto',
      ...{ outcome, layers, tokensBefore, tokensAfter, success, edits, fixedTokens, largestPinnedTokens },
      messagesBefore: agent.view.length,
      messagesAfter: messages.length,
      breaker: 'closed',
      breakerEvents: [],
      request: agent.requests + 1,
    });
    for (const message of appended) this.#write({ type: 'message', message });
  }

  #beginTurn(): void {
    this.#turns += 1;
    this.#write({
      type: 'session',
      title: '',
      model: 'recorded',
      provider: 'recorded',
      resumed: this.#turns > 1,
      enableThinking: false,
      turnIndex: this.#turns,
      maxSteps: Number.MAX_SAFE_INTEGER,
      permissionMode: 'default',
      language: this.#language,
      toolTokens: 0,
      pollTools: [],
      writeTools: [],
      canPlan: false,
    });
  }

  #nextId() {
    this.#messages += 1;
    return messageId(this.#messages);
  }

  #agent(): AgentState {
    return agentOf(this.#state, LEAD);
  }

  #step(): number {
    const { turn } = this.#agent();
    return turn.phase === 'running' ? turn.step : 0;
  }

  #write(event: Unstamped): void {
    const stamp = { seq: 0, turnId: `turn-${this.#turns}`, agentName: LEAD, step: this.#step(), atMs: 0 };
    this.#state = evolve(this.#state, { ...event, ...stamp });
  }
}

type Unstamped = NewEvent extends infer Event
  ? Event extends NewEvent
    ? Omit<Event, 'turnId' | 'agentName' | 'step' | 'atMs'>
    : never
  : never;
