/** The turns that this process runs: at most one a session, each under its lease, from first event to last. */
import {
  agentOf,
  chooseLanguage,
  closeInterrupted,
  type EventOf,
  type Language,
  LEAD,
  RequestCheck,
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

type Hold =
  | { readonly kind: 'held'; readonly running: Running; letGo(): Promise<void> }
  | { readonly kind: 'busy'; readonly turnId: string | null };

type Running = { readonly turnId: string; readonly abort: AbortController; ended: Promise<unknown> };

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
    const held = await this.#hold(log);
    if (held.kind === 'busy') return { kind: 'already-running', turnId: held.turnId };
    const { running, letGo } = held;
    try {
      await this.#closeInterrupted(log);
      const language = this.#languageOf(log, request.message);
      const firstSeq = await this.#open(log, running.turnId, request, language);
      const ended = this.#drive(log, running, language).finally(letGo);
      running.ended = ended;
      return { kind: 'started', turnId: running.turnId, firstSeq, ended };
    } catch (error) {
      await letGo();
      throw error;
    }
  }

  /**
   * Compacts now where nothing runs, else before the running turn's next model call. Null: the turn ended, or the
   * process that runs it is another one, before it came to that.
   */
  async compact(log: SessionLog): Promise<EventOf<'compaction'> | null> {
    const held = await this.#hold(log);
    if (held.kind === 'busy') return this.#compactWithinTurn(log);
    try {
      await this.#closeInterrupted(log);
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
  async #hold(log: SessionLog): Promise<Hold> {
    const { sessionId } = log;
    const other = this.#running.get(sessionId);
    if (other !== undefined) return { kind: 'busy', turnId: other.turnId };
    const running: Running = {
      turnId: this.#parts.ids(),
      abort: new AbortController(),
      ended: Promise.resolve(),
    };
    this.#running.set(sessionId, running);
    let lease: Lease | null = null;
    const letGo = async () => {
      this.#running.delete(sessionId);
      log.letGo();
      await lease?.release().catch((fault: unknown) => this.#parts.reportFault('release of a lease', fault));
    };
    try {
      lease = await claimLease(this.#parts, sessionId, this.#owner, () => running.abort.abort());
      if (lease !== null) log.takeOver(lease.epoch);
      await log.catchUp();
    } catch (error) {
      await letGo();
      throw error;
    }
    if (lease !== null) return { kind: 'held', running, letGo };
    await letGo();
    return { kind: 'busy', turnId: runningTurnId(log) };
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

  async #open(log: SessionLog, turnId: string, request: TurnRequest, language: Language): Promise<number> {
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
      countTokens: parts.countTokens,
      clock: parts.clock,
    });
    const [first] = await log.append(events);
    return first?.seq ?? log.lastSeq;
  }

  async #drive(log: SessionLog, running: Running, language: Language): Promise<TurnEnd> {
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
      });
      return { kind: 'done', status };
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

  /** A turn whose process died is closed before the next one begins: nothing runs twice. */
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
