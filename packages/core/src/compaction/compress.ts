/** `compressWithFallback`: the layers in order, each only as long as the view is over its target (context.md 5). */

import { extractiveSummary } from '../facts/extract.ts';
import { History } from '../message/history.ts';
import type { Message, MessageId, UserMessage } from '../message/message.ts';
import type { ContextEdit, LayerName } from '../view/edit.ts';
import { applyEdits } from '../view/view.ts';
import { auto, autoRuns } from './auto.ts';
import { EXTRACT_TOKENS } from './block.ts';
import { identityMessage, needsIdentity } from './identity.ts';
import type { CompactionContext, LayerInput } from './layer.ts';
import { ledgerTokens, relistFacts } from './ledger.ts';
import { type CompactionLimits, isWithinTarget, sizeOf } from './limits.ts';
import { micro } from './micro.ts';
import type { CompactionOutcome, LayerReport } from './outcome.ts';
import { pinsOf } from './pins.ts';
import { isUnchanged, type PreparedSummary, untoldBehind } from './prepared.ts';
import { project } from './project.ts';
import { isOverMessageLimit, snip } from './snip.ts';
import type { SummaryReply } from './summary-reply.ts';
import { MIN_HISTORY_TOKENS } from './trigger.ts';
import { isWorthApplying, judge } from './verdict.ts';

/** Asked of whoever drives the compaction. */
export type CompactionNeed =
  /** A narrative of these messages. */
  | { readonly kind: 'summary'; readonly messages: readonly Message[] }
  /** What is stored under these numbers: the view shows only a part of it. */
  | { readonly kind: 'originals'; readonly ids: readonly MessageId[] };
export type CompactionReply =
  | SummaryReply
  /** In any order; others may be among them. One that is missing is taken as the view shows it. */
  | { readonly kind: 'originals'; readonly messages: readonly Message[] };

export type Compaction = {
  readonly outcome: CompactionOutcome;
  readonly edits: readonly ContextEdit[];
  /** To be appended behind the view. */
  readonly appended: readonly UserMessage[];
  /** The view afterwards, appended messages included. */
  readonly messages: readonly Message[];
  readonly layers: readonly LayerReport[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly success: boolean;
  /** For `cannot_fit`: what stands in the way, calibrated tokens. */
  readonly fixedTokens: number;
  readonly largestPinnedTokens: number;
  /** What came of asking a model; null: it was not asked. */
  readonly summary: 'used' | 'refused' | null;
  readonly summaryFault: string | null;
};

type Step = {
  readonly layer: LayerName;
  readonly isDue: (input: LayerInput) => boolean;
  readonly plan: (input: LayerInput) => readonly ContextEdit[];
};

const overTarget = ({ messages, limits }: LayerInput) => !isWithinTarget(messages, limits);

/** The four layers that edit, from top to bottom; identity appends and stands below. */
const LAYERS: readonly Step[] = [
  { layer: 'snip', isDue: isOverMessageLimit, plan: snip },
  { layer: 'micro', isDue: overTarget, plan: (input) => micro('micro', 8, input) },
  { layer: 'auto', isDue: overTarget, plan: auto },
  { layer: 'aggressive_micro', isDue: overTarget, plan: (input) => micro('aggressive_micro', 2, input) },
];

export type CompressOptions = {
  /** Left out: all. */
  readonly layers?: readonly LayerName[];
  /** Taken instead of asking, if what it tells of is unchanged and is what L2 replaces first. */
  readonly prepared?: PreparedSummary | null;
};

/**
 * A coroutine: where originals or a narrative are wanted it yields that need and goes on with the reply, so that core
 * decides all and waits for nothing. Without a narrative the block holds an extract; no layer is skipped for want of a model.
 * Contract: `messages` is a valid history between two steps.
 */
export function* compress(
  messages: readonly Message[],
  context: CompactionContext,
  options: CompressOptions = {},
): Generator<CompactionNeed, Compaction, CompactionReply> {
  const { limits } = context;
  const tokensBefore = sizeOf(messages, limits);
  const run = new Run(messages, context, options.prepared ?? null);
  if (tokensBefore - limits.toolTokens < MIN_HISTORY_TOKENS) return run.end('nothing_to_do', tokensBefore);

  yield* run.fetchOriginals();
  for (const step of LAYERS) {
    if (options.layers !== undefined && !options.layers.includes(step.layer)) continue;
    if (!step.isDue(run.input())) continue;
    if (step.layer === 'auto') yield* run.summarise(step);
    else run.apply(step.layer, step.plan(run.input()));
  }
  run.relistFacts(tokensBefore);
  const wantsIdentity = options.layers === undefined || options.layers.includes('identity');
  if (wantsIdentity && run.edits.length > 0 && needsIdentity(run.messages)) run.appendIdentity();
  if (run.size() > limits.hardTokens) run.project();
  return run.end(outcomeOf(run, tokensBefore), tokensBefore);
}

function outcomeOf(run: Run, tokensBefore: number): CompactionOutcome {
  const { limits } = run.context;
  if (run.size() > limits.windowTokens || (run.edits.length === 0 && run.size() > limits.triggerTokens)) {
    return 'cannot_fit';
  }
  if (run.edits.length === 0) return isWithinTarget(run.messages, limits) ? 'fits' : 'nothing_to_do';
  if (run.edits.some((edit) => edit.layer === 'project')) return 'projected';
  return run.size() < tokensBefore ? 'compacted' : 'nothing_to_do';
}

/** System prompt and tool schemas, and the largest of the messages that no layer may touch. */
function immovable(messages: readonly Message[], limits: CompactionLimits) {
  const pins = pinsOf(messages);
  let system = 0;
  let largest = 0;
  for (const message of messages) {
    if (message.role === 'system') system += message.tokens;
    else if (pins.messages.has(message.id)) largest = Math.max(largest, message.tokens);
  }
  return {
    fixedTokens: Math.round(limits.toolTokens + system * limits.scale),
    largestPinnedTokens: Math.round(largest * limits.scale),
  };
}

type Replace = Extract<ContextEdit, { kind: 'replace' }>;

/** The view while it is being worked on. */
class Run {
  readonly context: CompactionContext;
  messages: readonly Message[];
  readonly edits: ContextEdit[] = [];
  readonly #layers: LayerReport[] = [];
  readonly #appended: UserMessage[] = [];
  /** By number: what is stored of the messages of the view. */
  readonly #originals: Map<MessageId, Message>;
  readonly #prepared: PreparedSummary | null;
  #summary: Compaction['summary'] = null;
  #fault: string | null = null;

  constructor(messages: readonly Message[], context: CompactionContext, prepared: PreparedSummary | null) {
    this.messages = messages;
    this.context = context;
    this.#prepared = prepared !== null && isUnchanged(prepared.range, messages) ? prepared : null;
    this.#originals = new Map(messages.map((message) => [message.id, message]));
  }

  /** Of messages that an earlier compaction has cut. */
  *fetchOriginals(): Generator<CompactionNeed, void, CompactionReply> {
    const ids = this.messages.filter((message) => message.cut === true).map(({ id }) => id);
    if (ids.length === 0) return;
    const reply = yield { kind: 'originals', ids };
    if (reply.kind !== 'originals') return;
    for (const message of reply.messages) this.#originals.set(message.id, message);
  }

  size(): number {
    return sizeOf(this.messages, this.context.limits);
  }

  input(narrative: string | null = null): LayerInput {
    const { context, messages } = this;
    const originalOf = (message: Message) => this.#originals.get(message.id) ?? message;
    return { ...context, messages, pins: pinsOf(messages), originalOf, narrative };
  }

  apply(layer: LayerName, edits: readonly ContextEdit[]): void {
    const tokensBefore = this.size();
    const after = [...applyEdits(History.of(this.messages), edits)];
    const tokensAfter = sizeOf(after, this.context.limits);
    const grows = tokensAfter >= tokensBefore;
    if (!grows) {
      this.messages = after;
      this.edits.push(...edits);
    }
    const report = { layer, tokensBefore, tokensAfter: grows ? tokensBefore : tokensAfter };
    this.#layers.push({ ...report, edits: grows ? 0 : edits.length });
  }

  /** A narrative that does not make the request smaller counts as refused; an extract then takes its place. */
  *summarise(step: Step): Generator<CompactionNeed, void, CompactionReply> {
    const runs = autoRuns(this.input());
    if (runs.length === 0) return this.apply('auto', []);
    const replaced = runs.flat();
    const reply = this.#preparedReply(replaced) ?? (yield { kind: 'summary', messages: replaced });
    if (reply.kind === 'narrative') {
      const edits = step.plan(this.input(reply.text));
      const after = sizeOf(applyEdits(History.of(this.messages), edits), this.context.limits);
      if (isWorthApplying(this.size(), after)) {
        this.#summary = 'used';
        return this.apply('auto', edits);
      }
    }
    if (reply.kind === 'narrative' || reply.kind === 'refused') {
      this.#summary = 'refused';
      this.#fault = reply.kind === 'refused' ? reply.reason : 'the summary does not make the request smaller';
    }
    this.apply('auto', step.plan(this.input()));
  }

  /** What came after the summary was written is told of by an extract behind it. */
  #preparedReply(replaced: readonly Message[]): SummaryReply | null {
    if (this.#prepared === null) return null;
    const { range, reply } = this.#prepared;
    const untold = untoldBehind(range, replaced);
    if (untold === null) return null;
    if (reply.kind === 'refused' || untold.length === 0) return reply;
    const { count, language } = this.context;
    const messages = untold.map((message) => this.#originals.get(message.id) ?? message);
    const extract = extractiveSummary({ messages, budgetTokens: EXTRACT_TOKENS, count, language });
    return { kind: 'narrative', text: [reply.text, extract].filter((text) => text !== '').join('\n\n') };
  }

  /** At most half of what was freed goes to the ledger. */
  relistFacts(tokensBefore: number): void {
    const { limits } = this.context;
    const freedTokens = (tokensBefore - this.size()) / limits.scale;
    if (this.edits.length === 0 || freedTokens <= 0) return;
    for (const replacement of relistFacts(this.input(), ledgerTokens(this.size(), freedTokens, limits))) {
      const made = this.edits.findIndex(
        (edit) => edit.kind === 'replace' && edit.replacement.id === replacement.id,
      );
      if (made === -1) this.edits.push({ kind: 'replace', layer: 'auto', replacement });
      else this.edits[made] = { ...(this.edits[made] as Replace), replacement };
      this.messages = this.messages.map((message) => (message.id === replacement.id ? replacement : message));
    }
  }

  /** Never at the cost of what a person said: where it would fill the window, it is left out. */
  appendIdentity(): void {
    const { limits } = this.context;
    const tokensBefore = this.size();
    const message = identityMessage(this.input());
    if (tokensBefore + message.tokens * limits.scale > limits.windowTokens) return;
    this.messages = [...this.messages, message];
    this.#appended.push(message);
    this.#layers.push({ layer: 'identity', edits: 1, tokensBefore, tokensAfter: this.size() });
  }

  project(): void {
    const edits = project(this.messages, pinsOf(this.messages), this.context);
    this.messages = [...applyEdits(History.of(this.messages), edits)];
    this.edits.push(...edits);
  }

  end(outcome: CompactionOutcome, tokensBefore: number): Compaction {
    const tokensAfter = this.size();
    const { limits } = this.context;
    return {
      ...immovable(this.messages, limits),
      outcome,
      edits: this.edits,
      appended: this.#appended,
      messages: this.messages,
      layers: this.#layers,
      tokensBefore,
      tokensAfter,
      success: judge(tokensBefore, tokensAfter, isWithinTarget(this.messages, limits)).success,
      summary: this.#summary,
      summaryFault: this.#fault,
    };
  }
}
