/** The turns that this process runs: at most one a session, each under its lease, from first event to last. */
import {
  agentOf,
  chooseLanguage,
  closeInterrupted,
  type EventOf,
  isPoisonous,
  type Language,
  LEAD,
  RequestCheck,
  type RequestKey,
  resumption,
  textOf,
} from '@astroresearch/core';
import type { AgentParts } from '../agent-parts.ts';
import type { SendOutcome, TurnEnd, TurnRequest } from '../agent-types.ts';
import type { SessionLog } from '../log/session-log.ts';
import { createRecall } from '../recall/recall.ts';
import { createRegistry, type Registry } from '../tools/registry.ts';
import { compactContext } from '../turn/compact.ts';
import { finishTurn } from '../turn/finish-turn.ts';
import { runTurn } from '../turn/run-turn.ts';
import { needsSystemPrompt, startTurn } from '../turn/start-turn.ts';
import { SummaryAhead } from '../turn/summary-ahead.ts';
import { claimLease, type Lease } from './lease.ts';
import { assemblePrompt } from './prompt.ts';
import { knownRequest, requestKeyOf } from './request-key.ts';

type Hold =
  | { readonly kind: 'held'; readonly running: Running; letGo(): Promise<void> }
  | { readonly kind: 'busy'; readonly turnId: string | null; readonly running: Running | null };

type Running = {
  /** Of an interrupted turn that goes on, once it is known to be one. */
  turnId: string;
  /** What began it, if that named a key. */
  readonly request: RequestKey | null;
  /** Stops what is being performed. */
  readonly abort: AbortController;
  /** Leaves the turn as it is: another process goes on. */
  readonly leave: AbortController;
  ended: Promise<TurnEnd>;
};

const NOTHING_RAN: Promise<TurnEnd> = Promise.resolve({ kind: 'suspended' });

export class Turns {
  readonly #parts: AgentParts;
  readonly #registry: Registry;
  readonly #owner: string;
  readonly #running = new Map<string, Running>();
  /** As long as the session is open here. */
  readonly #ahead = new WeakMap<SessionLog, SummaryAhead>();

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#registry = createRegistry(parts.tools);
    this.#owner = parts.ids();
  }

  isRunning(sessionId: string): boolean {
    return this.#running.has(sessionId);
  }

  /** Stores the message and starts the turn; the turn goes on after this resolves. */
  async start(log: SessionLog, request: TurnRequest): Promise<SendOutcome> {
    const asked = requestKeyOf(request);
    if (asked !== null) await log.catchUp();
    const known = knownRequest(log.state, asked);
    if (known !== null) return known;
    const held = await this.#hold(log, asked);
    if (held.kind === 'busy') return this.#whileRunning(log, held, request, asked);
    const { running, letGo } = held;
    try {
      // Another process may have answered it before this one took the session.
      const answered = knownRequest(log.state, asked);
      if (answered !== null) {
        await letGo();
        return answered;
      }
      if (isInterrupted(log)) {
        await this.#takeUp(log, running, letGo);
        return this.#whileRunning(log, { turnId: running.turnId, running }, request, asked);
      }
      const language = this.#languageOf(log, request.message);
      const firstSeq = await this.#open(log, running.turnId, request, language, asked);
      const ended = this.#drive(log, running, language, letGo);
      return { kind: 'started', turnId: running.turnId, firstSeq, ended };
    } catch (error) {
      await letGo();
      throw error;
    }
  }

  /** A session that is busy: a repeat is known for one, a message may wait, anything else is refused. */
  async #whileRunning(
    log: SessionLog,
    { turnId, running }: { readonly turnId: string | null; readonly running: Running | null },
    request: TurnRequest,
    asked: RequestKey | null,
  ): Promise<SendOutcome> {
    if (asked !== null && running?.request?.key === asked.key) {
      return running.request.hash === asked.hash
        ? { kind: 'repeated', turnId: running.turnId, firstSeq: log.lastSeq + 1 }
        : { kind: 'key-reused', turnId: running.turnId };
    }
    if (request.queue !== true || turnId === null)
      return { kind: 'already-running', turnId, ended: running?.ended ?? null };
    const atMs = this.#parts.clock.nowMs();
    const named = asked === null ? {} : { request: asked };
    const text = request.message;
    const [queued] = await log.append([
      { type: 'message-queued', text, ...named, turnId, agentName: LEAD, step: 0, atMs },
    ]);
    // The turn may have ended meanwhile: then nobody else looks.
    if (!this.isRunning(log.sessionId)) await this.#startQueued(log);
    return { kind: 'queued', turnId, seq: queued?.seq ?? log.lastSeq };
  }

  /** Messages that came too late for a turn begin the next one. */
  async #startQueued(log: SessionLog): Promise<void> {
    const held = await this.#hold(log, null);
    if (held.kind === 'busy') return;
    const { running, letGo } = held;
    try {
      const [first] = agentOf(log.state, LEAD).queue;
      if (first === undefined || isInterrupted(log)) return await letGo();
      const language = this.#languageOf(log, first.text);
      await this.#open(log, running.turnId, { message: first.text }, language, null, 1);
      this.#drive(log, running, language, letGo);
    } catch (error) {
      await letGo();
      throw error;
    }
  }

  /**
   * Goes on with a turn whose process is gone; nothing to do where it is held elsewhere or has ended. True: it goes on
   * here now.
   */
  async resume(log: SessionLog): Promise<boolean> {
    if (this.isRunning(log.sessionId)) return false;
    const held = await this.#hold(log, null);
    if (held.kind === 'busy') return false;
    const { running, letGo } = held;
    try {
      if (isInterrupted(log)) return await this.#takeUp(log, running, letGo);
      await letGo();
      return false;
    } catch (error) {
      await letGo();
      throw error;
    }
  }

  /** From the state in the log: what was asked of the model is asked again, tools by their effect (reliability.md 2.2). */
  async #takeUp(log: SessionLog, running: Running, letGo: () => Promise<void>): Promise<boolean> {
    const { turn } = agentOf(log.state, LEAD);
    if (turn.phase === 'resting') return false;
    running.turnId = turn.turnId;
    if (isPoisonous(turn)) {
      await this.#closeInterrupted(log);
      await letGo();
      return false;
    }
    const { turnId, step } = turn;
    const atMs = this.#parts.clock.nowMs();
    await log.append([{ ...resumption(turn), turnId, agentName: LEAD, step, atMs }]);
    this.#drive(log, running, turn.language, letGo);
    return true;
  }

  /**
   * Compacts now where nothing runs, else before the running turn's next model call. Null: the turn ended, or the
   * process that runs it is another one, before it came to that.
   */
  async compact(log: SessionLog): Promise<EventOf<'compaction'> | null> {
    const held = await this.#hold(log, null);
    if (held.kind === 'busy') return this.#compactWithinTurn(log);
    try {
      if (isInterrupted(log)) await this.#closeInterrupted(log);
      const agent = agentOf(log.state, LEAD);
      const place = {
        turnId: null,
        turnIndex: log.state.turnCount,
        step: 0,
        model: log.state.model ?? this.#parts.model.defaultModel,
        language: this.#languageOf(log, ''),
      };
      const parts = {
        ...this.#parts,
        log,
        agentName: LEAD,
        ahead: this.#aheadOf(log),
        signal: held.running.abort.signal,
      };
      const action = { kind: 'compact', trigger: 'manual', keep: null } as const;
      for await (const events of compactContext(action, agent, place, parts)) {
        const stored = await log.append(events);
        return stored.find((event) => event.type === 'compaction') ?? null;
      }
      return null;
    } finally {
      await held.letGo();
    }
  }

  async #compactWithinTurn(log: SessionLog): Promise<EventOf<'compaction'> | null> {
    const reading = new AbortController();
    const events = log.subscribe(log.lastSeq, reading.signal);
    const atMs = this.#parts.clock.nowMs();
    await log.append([
      { type: 'compact-requested', keep: null, turnId: null, agentName: LEAD, step: 0, atMs },
    ]);
    try {
      for await (const event of events) {
        if (event.type === 'compaction') return event;
        if (event.type === 'done') return null;
      }
      return null;
    } finally {
      reading.abort();
    }
  }

  /** Takes the session for this process alone: in memory at once, in the store by a lease. */
  async #hold(log: SessionLog, request: RequestKey | null): Promise<Hold> {
    const { sessionId } = log;
    const other = this.#running.get(sessionId);
    if (other !== undefined) return { kind: 'busy', turnId: other.turnId, running: other };
    const running: Running = {
      turnId: this.#parts.ids(),
      request,
      abort: new AbortController(),
      leave: new AbortController(),
      ended: NOTHING_RAN,
    };
    this.#running.set(sessionId, running);
    let lease: Lease | null = null;
    const letGo = async () => {
      this.#running.delete(sessionId);
      log.letGo();
      await lease?.release().catch((fault: unknown) => this.#parts.reportFault('release of a lease', fault));
    };
    try {
      lease = await claimLease(this.#parts, sessionId, this.#owner, () => leaveNow(running));
      if (lease !== null) log.takeOver(lease.epoch);
      await log.catchUp();
    } catch (error) {
      await letGo();
      throw error;
    }
    if (lease !== null) return { kind: 'held', running, letGo };
    await letGo();
    return { kind: 'busy', turnId: runningTurnId(log), running: null };
  }

  /** Stores the wish, then interrupts what runs; the turn ends by itself. False: nothing was running. */
  async cancel(log: SessionLog): Promise<boolean> {
    const running = this.#running.get(log.sessionId);
    if (running === undefined) return false;
    const atMs = this.#parts.clock.nowMs();
    try {
      await log.append([
        { type: 'cancel-requested', turnId: running.turnId, agentName: LEAD, step: 0, atMs },
      ]);
    } finally {
      running.abort.abort();
    }
    return true;
  }

  /** Resolves when the session's turn, if any, has ended. */
  async ended(sessionId: string): Promise<void> {
    await this.#running.get(sessionId)?.ended;
  }

  sessions(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Leaves a turn in good order: its model call ends now, its tools have `graceMs` to settle. Another process goes on. */
  async suspend(log: SessionLog, graceMs: number): Promise<void> {
    const running = this.#running.get(log.sessionId);
    if (running === undefined) return;
    running.leave.abort();
    const { turn } = agentOf(log.state, LEAD);
    const toolsRun = turn.phase === 'running' && turn.openCalls.length > 0;
    if (!toolsRun) running.abort.abort();
    const takeBack = this.#parts.clock.after(graceMs, () => running.abort.abort());
    await running.ended;
    takeBack();
  }

  async #open(
    log: SessionLog,
    turnId: string,
    request: TurnRequest,
    language: Language,
    asked: RequestKey | null,
    fromQueue = 0,
  ): Promise<number> {
    const { parts, schemas } = { parts: this.#parts, schemas: this.#registry.schemas(language) };
    const events = startTurn({
      log,
      agentName: LEAD,
      turnId,
      message: request.message,
      model: request.model ?? log.state.model ?? parts.model.defaultModel,
      provider: parts.model.provider,
      enableThinking: request.enableThinking ?? false,
      permissionMode: request.permissionMode ?? parts.permissionMode,
      maxSteps: request.maxSteps ?? parts.settings.turn.maxSteps,
      language,
      toolTokens: parts.countTokens(JSON.stringify(schemas)),
      pollTools: parts.tools.filter((tool) => tool.poll === true).map((tool) => tool.name),
      writeTools: parts.tools
        .filter((tool) => tool.effect !== 'read' && !tool.ownState)
        .map((tool) => tool.name),
      canPlan: this.#registry.get('todo_write') !== undefined,
      systemPrompt: needsSystemPrompt(log, LEAD) ? await assemblePrompt(parts, language) : null,
      request: asked,
      fromQueue,
      countTokens: parts.countTokens,
      clock: parts.clock,
    });
    const [first] = await log.append(events);
    return first?.seq ?? log.lastSeq;
  }

  /** To its end, or until this process must leave it; then the session is let go. */
  #drive(
    log: SessionLog,
    running: Running,
    language: Language,
    letGo: () => Promise<void>,
  ): Promise<TurnEnd> {
    running.ended = this.#run(log, running, language)
      .finally(letGo)
      .finally(() => this.#afterTurn(log, running));
    return running.ended;
  }

  #afterTurn(log: SessionLog, { leave }: Running): void {
    if (leave.signal.aborted || agentOf(log.state, LEAD).queue.length === 0) return;
    this.#startQueued(log).catch((fault: unknown) => this.#parts.reportFault('a queued message', fault));
  }

  async #run(log: SessionLog, running: Running, language: Language): Promise<TurnEnd> {
    const parts = this.#parts;
    const ahead = this.#aheadOf(log);
    try {
      const status = await runTurn({
        log,
        agentName: LEAD,
        model: parts.model,
        registry: this.#registry,
        toolSchemas: this.#registry.schemas(language),
        files: parts.files,
        outputs: parts.outputs,
        recall: createRecall(parts),
        settings: parts.settings,
        toolLimits: parts.toolLimits,
        check: new RequestCheck(parts.countTokens),
        ahead,
        countTokens: parts.countTokens,
        clock: parts.clock,
        ids: parts.ids,
        reportFault: parts.reportFault,
        signal: running.abort.signal,
        leaving: running.leave.signal,
      });
      if (status !== 'suspended') return { kind: 'done', status };
      await this.#noteSuspension(log);
      return { kind: 'suspended' };
    } catch (error) {
      parts.reportFault(`turn ${running.turnId} of session ${log.sessionId}`, error);
      return { kind: 'crashed', error };
    } finally {
      ahead.stop();
    }
  }

  #aheadOf(log: SessionLog): SummaryAhead {
    const ahead = this.#ahead.get(log) ?? new SummaryAhead();
    this.#ahead.set(log, ahead);
    return ahead;
  }

  /** So that taking the turn up again counts as no crash; not said where the lease is gone. */
  async #noteSuspension(log: SessionLog): Promise<void> {
    const { turn } = agentOf(log.state, LEAD);
    if (turn.phase === 'resting') return;
    const { turnId, step } = turn;
    const atMs = this.#parts.clock.nowMs();
    await log
      .append([{ type: 'turn-suspended', turnId, agentName: LEAD, step, atMs }])
      .catch((fault: unknown) => this.#parts.reportFault('leaving a turn', fault));
  }

  /** A turn that cannot be taken up again: every open call gets its one result, and the turn fails. */
  async #closeInterrupted(log: SessionLog): Promise<void> {
    const { turn } = agentOf(log.state, LEAD);
    if (turn.phase === 'resting') return;
    const { clock, countTokens } = this.#parts;
    await log.append(finishTurn(closeInterrupted(turn), turn, { log, agentName: LEAD, clock, countTokens }));
  }

  #languageOf(log: SessionLog, message: string): Language {
    if (log.state.language !== null) return log.state.language;
    const first = agentOf(log.state, LEAD)
      .view.toArray()
      .find((stored) => stored.role === 'user');
    return chooseLanguage(this.#parts.language, first === undefined ? message : textOf(first));
  }
}

function runningTurnId(log: SessionLog): string | null {
  const { turn } = agentOf(log.state, LEAD);
  return turn.phase === 'running' ? turn.turnId : null;
}

/** By the log a turn runs; by the lease, nobody drives it. */
function isInterrupted(log: SessionLog): boolean {
  return agentOf(log.state, LEAD).turn.phase === 'running';
}

function leaveNow({ leave, abort }: Running): void {
  leave.abort();
  abort.abort();
}
