/** One open session: its log, the state folded from it, and its readers. The only writer (architecture.md, Data). */
import {
  EMPTY_METRICS,
  evolve,
  foldMetrics,
  type Message,
  type MessageId,
  type Metrics,
  messageId,
  NEW_SESSION,
  type NewEvent,
  ordinalOf,
  type PublishedEvent,
  type SessionState,
  type TransientEvent,
  type TurnEvent,
  toolCallsOf,
} from '@astroresearch/core';
import { type SessionHead, type Store, StoreError } from '../store/store.ts';
import { createLiveText } from './live-text.ts';
import { subscribe } from './subscription.ts';
import type { WrittenMetrics } from './written-metrics.ts';

const PAGE_EVENTS = 1_000;

export class SessionLog {
  readonly sessionId: string;
  readonly #store: Store;
  readonly #written: WrittenMetrics;
  readonly #listeners = new Map<(event: PublishedEvent) => void, () => void>();
  readonly #live = createLiveText();
  readonly #callIds = new Set<string>();
  #state: SessionState = NEW_SESSION;
  /** For people; nothing is decided by them. */
  #metrics: Metrics = EMPTY_METRICS;
  #seq = 0;
  #epoch: number;
  /** True while this process drives a turn here: then a higher epoch means that it must stop. */
  #drives = false;
  #messages: number;
  #tail: Promise<unknown> = Promise.resolve();

  private constructor(sessionId: string, store: Store, written: WrittenMetrics, head: SessionHead) {
    this.sessionId = sessionId;
    this.#store = store;
    this.#written = written;
    this.#epoch = head.epoch;
    this.#messages = head.messages;
  }

  /** Null: there is no such session. */
  static async open(sessionId: string, store: Store, written: WrittenMetrics): Promise<SessionLog | null> {
    const head = await store.readHead(sessionId);
    if (head === null) return null;
    const log = new SessionLog(sessionId, store, written, head);
    await log.catchUp();
    return log;
  }

  /** Writes the first event of a new session. */
  static async create(
    sessionId: string,
    store: Store,
    written: WrittenMetrics,
    first: NewEvent,
  ): Promise<SessionLog> {
    const log = new SessionLog(sessionId, store, written, { seq: 0, epoch: 0, messages: 0 });
    await log.append([first]);
    return log;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Of all events taken in so far, whoever wrote them. */
  get metrics(): Metrics {
    return this.#metrics;
  }

  get lastSeq(): number {
    return this.#seq;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** The number for the next message of the session; given once. */
  nextMessageId(): MessageId {
    this.#messages += 1;
    return messageId(this.#messages);
  }

  /** True when a call of this id stands in the history: a provider refuses a second one. */
  hasCall(toolCallId: string): boolean {
    return this.#callIds.has(toolCallId);
  }

  /** From now on this process drives the session, under the lease of this epoch. */
  takeOver(epoch: number): void {
    this.#epoch = epoch;
    this.#drives = true;
  }

  /** The turn has ended: what this process still writes here (a rename) follows whoever drives. */
  letGo(): void {
    this.#drives = false;
  }

  /**
   * Stores the events together, then folds and publishes them. Appends wait for each other; events that another
   * process wrote meanwhile are taken in first.
   * Throws `StoreError`: `fenced` when the lease is gone, another kind when storage fails. Then nothing was written.
   */
  append(events: readonly NewEvent[]): Promise<readonly TurnEvent[]> {
    return this.#inTurn(() => this.#append(events));
  }

  /** Messages as they are stored, whatever the view shows of them; ascending, with others between them. */
  readOriginals(agentName: string, ids: readonly MessageId[]): Promise<readonly Message[]> {
    const ordinals = ids.map(ordinalOf);
    const [from, to] = [Math.min(...ordinals), Math.max(...ordinals)];
    if (ids.length === 0) return Promise.resolve([]);
    const span = { agentName, from: messageId(from), to: messageId(to), limit: to - from + 1 };
    return this.#store.readMessageRange(this.sessionId, span);
  }

  /** Takes in what other processes have written. */
  catchUp(): Promise<void> {
    return this.#inTurn(() => this.#catchUp());
  }

  /** To all readers, now; never stored. */
  publish(event: PublishedEvent): void {
    this.#live.note(event);
    for (const receive of this.#listeners.keys()) receive(event);
  }

  subscribe(afterSeq: number, signal: AbortSignal): AsyncIterable<PublishedEvent> {
    const source = {
      readStored: (after: number, limit: number) => this.#store.readEvents(this.sessionId, after, limit),
      snapshots: (): readonly TransientEvent[] => this.#live.snapshots(),
      listen: (receive: (event: PublishedEvent) => void, end: () => void) => {
        this.#listeners.set(receive, end);
        return () => this.#listeners.delete(receive);
      },
    };
    return subscribe(source, afterSeq, signal);
  }

  /** Lets every reader go: the session is deleted or the process stops. */
  endReaders(): void {
    for (const end of this.#listeners.values()) end();
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(run, run);
    this.#tail = result.catch(() => {});
    return result;
  }

  async #append(events: readonly NewEvent[]): Promise<readonly TurnEvent[]> {
    for (;;) {
      const numbered = events.map((event, index) => ({ ...event, seq: this.#seq + 1 + index }));
      const outcome = await this.#store.append(this.sessionId, this.#seq, this.#epoch, numbered);
      switch (outcome.kind) {
        case 'appended':
          this.#written.note(numbered);
          for (const event of numbered) this.#take(event);
          return numbered;
        case 'conflict': {
          const before = this.#seq;
          await this.#catchUp();
          if (this.#seq === before) throw vanished(this.sessionId, outcome.seq);
          break;
        }
        case 'fenced':
          if (this.#drives || outcome.epoch <= this.#epoch) throw fencedBy(this.sessionId, outcome.epoch);
          this.#epoch = outcome.epoch;
          break;
        default:
          return outcome satisfies never;
      }
    }
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const page = await this.#store.readEvents(this.sessionId, this.#seq, PAGE_EVENTS);
      for (const event of page) this.#take(event);
      if (page.length < PAGE_EVENTS) return;
    }
  }

  #take(event: TurnEvent): void {
    this.#seq = event.seq;
    this.#state = evolve(this.#state, event);
    this.#metrics = foldMetrics(this.#metrics, event);
    if ('message' in event && typeof event.message === 'object') {
      this.#messages = Math.max(this.#messages, ordinalOf(event.message.id));
      for (const call of toolCallsOf(event.message)) this.#callIds.add(call.toolCallId);
    }
    this.publish(event);
  }
}

/** The lease went to another process: this one must stop writing. */
function fencedBy(sessionId: string, epoch: number): StoreError {
  return new StoreError(
    'fenced',
    `Session ${sessionId} is driven by another process now, or deleted (epoch ${epoch})`,
  );
}

function vanished(sessionId: string, seq: number): StoreError {
  const what = `the log of session ${sessionId} is said to end at ${seq}, and the events up to there cannot be read`;
  return new StoreError('corrupt', `${what}: was the database file replaced? Restart with the right one.`);
}
