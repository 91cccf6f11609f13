/** Generated sessions: logs that a turn engine could have written, built by following `decide` with random answers. */
import fc from 'fast-check';
import {
  type Compaction,
  type CompactionNeed,
  type CompactionReply,
  compress,
} from '../compaction/compress.ts';
import type { CompactionLimits } from '../compaction/limits.ts';
import type { CompactionTrigger } from '../compaction/outcome.ts';
import { type PreparedSummary, summaryRange } from '../compaction/prepared.ts';
import type { SummaryReply } from '../compaction/summary-reply.ts';
import {
  type AssistantMessage,
  type Message,
  type MessageId,
  messageId,
  type ToolCallPart,
  type ToolStatus,
} from '../message/message.ts';
import type { ErrorKind } from '../recovery/error-kind.ts';
import { countMessage } from '../tokens/estimate.ts';
import type { Action } from '../turn/action.ts';
import { compactionLimits } from '../turn/compaction-limits.ts';
import { decide } from '../turn/decide.ts';
import type { NewEvent, TurnEvent } from '../turn/event.ts';
import { evolve } from '../turn/evolve.ts';
import { DEFAULT_SETTINGS, type Settings } from '../turn/settings.ts';
import { agentOf, LEAD, NEW_SESSION, type SessionState } from '../turn/state.ts';
import { LAYER_NAMES, type LayerName } from '../view/edit.ts';

/** What the world answers to one action. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string; readonly cancelBefore: boolean }
  | {
      readonly kind: 'calls';
      readonly calls: number;
      readonly text: string;
      readonly statuses: readonly ToolStatus[];
    }
  | { readonly kind: 'failure'; readonly failure: ErrorKind }
  | { readonly kind: 'cancel' };

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((value) => value.trim() !== ''),
  fc.constantFrom(
    '哈勃常数为 73.04 ± 1.04',
    'NGC 1068 🌌',
    'plain words',
    '红移 z = 6.003，见 arXiv:2301.04567。'.repeat(40),
  ),
);

const answer: fc.Arbitrary<Answer> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('text' as const), text, cancelBefore: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      calls: fc.integer({ min: 1, max: 4 }),
      text: fc.oneof(fc.constant(''), text),
      statuses: fc.array(fc.constantFrom<ToolStatus>('ok', 'error', 'denied'), {
        minLength: 4,
        maxLength: 4,
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('failure' as const),
      failure: fc.constantFrom<ErrorKind>(
        'empty_reply',
        'network',
        'rate_limited',
        'auth',
        'context_too_long',
        'content_filter',
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
);

export type GeneratedTurn = {
  readonly question: string;
  readonly maxSteps: number;
  readonly answers: readonly Answer[];
};

export const generatedTurn: fc.Arbitrary<GeneratedTurn> = fc.record({
  question: text,
  maxSteps: fc.integer({ min: 1, max: 12 }),
  answers: fc.array(answer, { minLength: 40, maxLength: 40 }),
});

export type GeneratedSession = {
  readonly log: readonly TurnEvent[];
  readonly state: SessionState;
  /** Each action that was decided on, with the state it was decided in. */
  readonly decisions: readonly { readonly state: SessionState; readonly action: Action }[];
  readonly compactions: readonly GeneratedCompaction[];
};

export type GeneratedCompaction = {
  readonly before: readonly Message[];
  readonly compaction: Compaction;
  readonly limits: CompactionLimits;
};

/** Small enough for generated sessions to be compacted often. */
export const TIGHT_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  budget: { softTokens: 4_000, hardTokens: 1_000_000 },
  compaction: { ...DEFAULT_SETTINGS.compaction, maxMessages: 14 },
};

/** Both policies, with room to spare and with next to none: a hard limit and a window that are met, and missed. */
const tightSettings: fc.Arbitrary<Settings> = fc
  .record({
    policy: fc.constantFrom('balanced' as const, 'seed' as const),
    hardTokens: fc.constantFrom(1_000_000, 5_000, 4_200),
    windowTokens: fc.constantFrom(120_000, 6_000),
    maxMessages: fc.constantFrom(14, 50),
  })
  .map(({ policy, hardTokens, windowTokens, maxMessages }) => ({
    ...TIGHT_SETTINGS,
    budget: { ...TIGHT_SETTINGS.budget, hardTokens },
    compaction: {
      policy,
      charLimit: policy === 'seed' ? 3_000 : null,
      maxMessages,
      windowTokens,
    },
  }));

/** As `generatedSession`, under limits that make it compact every few steps. */
export const compactedSession: fc.Arbitrary<GeneratedSession> = fc
  .tuple(
    fc.array(generatedTurn, { minLength: 3, maxLength: 8 }),
    tightSettings,
    fc.oneof(fc.constant(LAYER_NAMES), fc.subarray([...LAYER_NAMES])),
  )
  .map(([turns, settings, layers]) => writeSession(turns, settings, layers));

/** A whole session; each turn is driven until `finish`, with at most as many actions as there are answers. */
export const generatedSession: fc.Arbitrary<GeneratedSession> = fc
  .array(generatedTurn, { minLength: 1, maxLength: 4 })
  .map((turns) => writeSession(turns));

export function writeSession(
  turns: readonly GeneratedTurn[],
  settings: Settings = DEFAULT_SETTINGS,
  layers: readonly LayerName[] = LAYER_NAMES,
): GeneratedSession {
  const writer = new Writer(settings, layers);
  writer.write({ type: 'session-created', title: '', model: null, metadata: {} });
  turns.forEach((turn, index) => {
    writer.turn(turn, index + 1);
  });
  const { log, state, decisions, compactions } = writer;
  return { log, state, decisions, compactions };
}

type Unstamped = NewEvent extends infer Event
  ? Event extends NewEvent
    ? Omit<Event, 'turnId' | 'agentName' | 'step' | 'atMs'>
    : never
  : never;

/** One token a character: sizes are easy to see, and small texts are enough to be too many. */
function countCharacters(text: string): number {
  return text.length;
}

function summaryOf(answer: Answer): SummaryReply {
  switch (answer.kind) {
    case 'text':
      return { kind: 'narrative', text: answer.text };
    case 'calls':
      return { kind: 'narrative', text: 'a narrative far too long '.repeat(2_000) };
    case 'failure':
      return { kind: 'refused', reason: 'generated' };
    case 'cancel':
      return { kind: 'none' };
    default:
      return answer satisfies never;
  }
}

/** Begins every summary that was written ahead; the range follows. */
export const PREPARED_MARK = 'PREPARED';

class Writer {
  readonly log: TurnEvent[] = [];
  readonly decisions: { state: SessionState; action: Action }[] = [];
  readonly compactions: GeneratedCompaction[] = [];
  readonly #settings: Settings;
  state: SessionState = NEW_SESSION;
  #turnId: string | null = null;

  readonly #layers: readonly LayerName[];
  constructor(settings: Settings, layers: readonly LayerName[]) {
    this.#settings = settings;
    this.#layers = layers;
  }

  #messages = 0;
  #calls = 0;
  #prepared: PreparedSummary | null = null;

  write(event: Unstamped): void {
    const { turn } = agentOf(this.state, LEAD);
    const seq = this.log.length + 1;
    const step = turn.phase === 'running' ? turn.step : 0;
    const full = { ...event, seq, turnId: this.#turnId, agentName: LEAD, step, atMs: seq * 10 } as TurnEvent;
    this.log.push(full);
    this.state = evolve(this.state, full);
  }

  turn(generated: GeneratedTurn, turnIndex: number): void {
    this.#turnId = `turn-${turnIndex}`;
    this.write({
      type: 'session',
      title: 'generated',
      model: 'scripted',
      provider: 'scripted',
      resumed: turnIndex > 1,
      enableThinking: false,
      turnIndex,
      maxSteps: generated.maxSteps,
      permissionMode: 'default',
      language: 'en',
      toolTokens: 100,
      pollTools: [],
      writeTools: [],
      canPlan: true,
    });
    if (turnIndex === 1)
      this.#message({ role: 'system', parts: [{ type: 'text', text: 'You are a test.' }] }, turnIndex);
    this.#message({ role: 'user', parts: [{ type: 'text', text: generated.question }] }, turnIndex);
    for (const answer of generated.answers) {
      const action = decide(agentOf(this.state, LEAD), this.#settings);
      this.decisions.push({ state: this.state, action });
      if (action.kind === 'rest') break;
      this.#answer(action, answer, turnIndex);
    }
    this.#turnId = null;
  }

  #answer(action: Action, answer: Answer, turnIndex: number): void {
    switch (action.kind) {
      case 'call-model':
        if (action.step > stepOf(this.state)) {
          this.write({
            type: 'step',
            n: action.step,
            estimatedTokens: 0,
            spentTokens: 0,
            forced: action.forced,
          });
        }
        this.#reply(answer, action.forced === null, turnIndex);
        break;
      case 'wait': {
        const { attempt, delayMs, failure } = action;
        this.write({ type: 'retry', kind: failure.kind, attempt, delayMs });
        if (answer.kind === 'cancel') this.write({ type: 'cancel-requested' });
        break;
      }
      case 'recover': {
        const { failure, rung } = action;
        const skipped = rung.skipped === null ? {} : { skipped: rung.skipped };
        if (rung.skipped === null && rung.action.endsWith('_compact'))
          this.#compact('recovery', answer, turnIndex);
        this.write({ type: 'recovery', kind: failure.kind, action: rung.action, ...skipped });
        if (answer.kind === 'cancel') this.write({ type: 'cancel-requested' });
        break;
      }
      case 'switch-model':
        this.write({ type: 'model-switch', from: 'scripted', to: action.to, reason: action.reason });
        break;
      case 'remind':
        this.#message(
          { role: 'user', kind: 'nudge', parts: [{ type: 'text', text: action.nudge }] },
          turnIndex,
        );
        this.write({ type: 'nudge', level: action.nudge, spentTokens: 0 });
        break;
      case 'compact':
        this.#compact(action.trigger, answer, turnIndex);
        break;
      case 'run-tools':
        if (this.#prepared === null) this.#prepare(turnIndex);
        action.calls.forEach(({ call }, index) => {
          if (answer.kind === 'cancel' && index > 0) return;
          this.write({ type: 'tool-call', toolCallId: call.toolCallId, name: call.name, arguments: {} });
          const status = answer.kind === 'calls' ? (answer.statuses[index] ?? 'ok') : 'ok';
          if (answer.kind !== 'cancel') this.#result(call, status, turnIndex);
        });
        if (answer.kind === 'cancel') this.write({ type: 'cancel-requested' });
        break;
      case 'finish':
        for (const { call } of action.close.calls) this.#result(call, action.close.status, turnIndex);
        this.write({ type: 'done', status: action.status });
        break;
      case 'take-queued':
        for (const text of action.texts)
          this.#message({ role: 'user', parts: [{ type: 'text', text }] }, turnIndex);
        this.write({ type: 'queue-taken', count: action.texts.length });
        break;
      case 'rest':
        break;
      default:
        action satisfies never;
    }
  }

  #compact(trigger: CompactionTrigger, answer: Answer, turnIndex: number): void {
    const agent = agentOf(this.state, LEAD);
    const limits = compactionLimits(agent, this.#settings);
    const before = [...agent.view];
    const prepared = this.#prepared;
    this.#prepared = null;
    const steps = this.#compress(before, limits, turnIndex, () => this.#nextId(), prepared);
    let next = steps.next();
    while (next.done !== true) next = steps.next(this.#replyTo(next.value, answer));
    const { value } = next;
    this.write({
      type: 'compaction',
      trigger,
      outcome: value.outcome,
      layers: value.layers,
      messagesBefore: agent.view.length,
      messagesAfter: value.messages.length,
      tokensBefore: value.tokensBefore,
      tokensAfter: value.tokensAfter,
      success: value.success,
      breaker: 'closed',
      breakerEvents: [],
      request: agent.requests + 1,
      edits: value.edits,
      fixedTokens: value.fixedTokens,
      largestPinnedTokens: value.largestPinnedTokens,
    });
    for (const message of value.appended) this.write({ type: 'message', message });
    this.compactions.push({ before, compaction: value, limits });
  }

  #compress(
    before: readonly Message[],
    limits: CompactionLimits,
    turnIndex: number,
    nextId: () => MessageId,
    prepared: PreparedSummary | null,
  ) {
    const context = {
      limits,
      language: 'en' as const,
      tasks: [],
      count: countCharacters,
      nextId,
      agentName: LEAD,
      turnIndex,
      step: 0,
      nowMs: 0,
    };
    return compress(before, context, { layers: this.#layers, prepared });
  }

  /** As a runtime writes a summary ahead: of what a compaction would summarise now. */
  #prepare(turnIndex: number): void {
    const agent = agentOf(this.state, LEAD);
    const view = [...agent.view];
    const limits = compactionLimits(agent, this.#settings);
    let free = Number.MAX_SAFE_INTEGER;
    const steps = this.#compress(view, limits, turnIndex, () => messageId(free--), null);
    let next = steps.next();
    while (next.done !== true) {
      const need = next.value;
      if (need.kind === 'summary') {
        const range = summaryRange(view, need.messages);
        const text = `${PREPARED_MARK} ${range?.from}-${range?.to}`;
        const refused = this.log.length % 4 === 0;
        const reply = refused
          ? ({ kind: 'refused', reason: 'generated' } as const)
          : ({ kind: 'narrative', text } as const);
        this.#prepared = range === null ? null : { range, reply };
        return;
      }
      next = steps.next(this.#replyTo(need, { kind: 'cancel' }));
    }
  }

  #replyTo(need: CompactionNeed, answer: Answer): CompactionReply {
    if (need.kind === 'summary') return summaryOf(answer);
    const stored = this.log.flatMap((event) =>
      'message' in event && typeof event.message === 'object' ? [event.message] : [],
    );
    return { kind: 'originals', messages: stored.filter(({ id }) => need.ids.includes(id)) };
  }

  #reply(answer: Answer, toolsOffered: boolean, turnIndex: number): void {
    switch (answer.kind) {
      case 'cancel':
        this.write({ type: 'cancel-requested' });
        break;
      case 'failure':
        this.write({
          type: 'attempt-failed',
          failure: { kind: answer.failure, message: 'generated' },
        });
        break;
      case 'text':
        if (answer.cancelBefore) this.write({ type: 'cancel-requested' });
        this.#assistant(answer.text, [], answer.cancelBefore ? 'cancelled' : 'stop', turnIndex);
        break;
      case 'calls': {
        const calls = toolsOffered ? Array.from({ length: answer.calls }, () => this.#call()) : [];
        const words = calls.length === 0 && answer.text === '' ? 'no tools' : answer.text;
        this.#assistant(words, calls, calls.length === 0 ? 'stop' : 'tool-calls', turnIndex);
        break;
      }
      default:
        answer satisfies never;
    }
  }

  #call(): ToolCallPart {
    this.#calls += 1;
    return {
      type: 'tool-call',
      toolCallId: `call-${this.#calls}`,
      name: 'read_file',
      arguments: '{"path":"a"}',
    };
  }

  #assistant(
    words: string,
    calls: readonly ToolCallPart[],
    ending: AssistantMessage['ending'],
    turnIndex: number,
  ): void {
    const said = words === '' ? [] : [{ type: 'text' as const, text: words }];
    const thought = this.#messages % 3 === 0 ? [thoughtOf(this.#messages)] : [];
    this.#message({ role: 'assistant', parts: [...thought, ...said, ...calls], ending }, turnIndex);
  }

  #result(call: ToolCallPart, status: ToolStatus, turnIndex: number): void {
    const part = {
      type: 'tool-result' as const,
      toolCallId: call.toolCallId,
      name: call.name,
      status,
      text: `result of ${call.toolCallId}: ${resultFiller(this.#calls)}`,
    };
    const message = this.#number({ role: 'tool', parts: [part] }, turnIndex);
    const { toolCallId, name } = call;
    this.write({ type: 'tool-result', toolCallId, name, status, elapsedMs: 1, truncated: false, message });
  }

  #message(content: Content, turnIndex: number): void {
    this.write({ type: 'message', message: this.#number(content, turnIndex) });
  }

  #nextId() {
    this.#messages += 1;
    return messageId(this.#messages);
  }

  #number(content: Content, turnIndex: number): Message {
    return {
      ...content,
      id: this.#nextId(),
      agentName: LEAD,
      turnIndex,
      step: 0,
      tokens: countMessage(content.parts, countCharacters),
      createdAtMs: 0,
    } as Message;
  }
}

/** Some providers sign what was thought: such a message may leave, and never be changed. */
function thoughtOf(nth: number) {
  const thought = { type: 'reasoning' as const, text: `thought ${nth}` };
  return nth % 2 === 0 ? { ...thought, signature: `signed-${nth}` } : thought;
}

/** From a few words to more than the whole budget; every other in Chinese, with characters of two units. */
function resultFiller(nth: number): string {
  if (nth % 29 === 0) return '🌌 a huge table of 12.345 and 67.890 in data/huge_1.fits\n'.repeat(120);
  const unit = nth % 2 === 0 ? 'data/file_1.fits 4.93 ' : '星系 NGC 1068 的距离 10.72 Mpc 🌌 ';
  return unit.repeat((nth * 7) % 60);
}

function stepOf(state: SessionState): number {
  const { turn } = agentOf(state, LEAD);
  return turn.phase === 'running' ? turn.step : 0;
}

type Content = Message extends infer Kind
  ? Kind extends Message
    ? Omit<Kind, 'id' | 'agentName' | 'turnIndex' | 'step' | 'tokens' | 'createdAtMs'>
    : never
  : never;
