/** Writes that are asked for at the same time share one transaction, and so one wait for the disk. */
import type { Clock } from '../ports.ts';
import { storeIsClosed } from './refusals.ts';
import type { StoreError } from './store.ts';

/** After so long a writer hears that the database is busy (reliability.md 2.4). */
const MAX_BUSY_MS = 2_000;
const RETRY_DELAY_MS = 20;
/** Keeps one transaction, during which nothing else runs, short. */
const MAX_GROUP_WRITES = 500;

export type Transactions = {
  /** Runs `work` in one transaction: all of it is on disk on return; nothing of it is when this throws. */
  commit(work: () => void): void;
  /** Inside `commit`: an error of `work` undoes `work` alone. */
  isolate<T>(work: () => T): T;
  /** Whether the transaction may go on after `isolate` threw `error`. */
  isIsolated(error: unknown): boolean;
  toStoreError(error: unknown): StoreError;
  /** Called once, where nothing will be written any more. */
  failed(fault: StoreError): void;
};

type Write = {
  readonly askedAtMs: number;
  /** Returns what tells the writer of its success, once the transaction is on disk. */
  readonly run: () => () => void;
  readonly reject: (fault: StoreError) => void;
};

export class GroupCommit {
  readonly #transactions: Transactions;
  readonly #clock: Clock;
  #waiting: Write[] = [];
  #isScheduled = false;
  #isClosed = false;
  /** Once the disk has failed nothing is tried again: what a second try would report as written may be lost. */
  #fault: StoreError | null = null;

  constructor(transactions: Transactions, clock: Clock) {
    this.#transactions = transactions;
    this.#clock = clock;
  }

  /**
   * Runs `work`, in the order of the calls, in the next transaction. Resolves with its result when that is on disk;
   * rejects with `StoreError` when nothing of it was written. `work` may run more than once.
   */
  write<T>(work: () => T): Promise<T> {
    if (this.#fault !== null) return Promise.reject(this.#fault);
    if (this.#isClosed) return Promise.reject(storeIsClosed());
    return new Promise<T>((resolve, reject) => {
      const run = () => {
        const result = work();
        return () => resolve(result);
      };
      this.#waiting.push({ askedAtMs: this.#clock.monotonicMs(), run, reject });
      this.#schedule();
    });
  }

  /** Resolves when all earlier writes have ended; later ones are refused. */
  async close(): Promise<void> {
    const last = this.write(() => undefined);
    this.#isClosed = true;
    await last.catch(() => {});
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#commit());
  }

  #commit(): void {
    const group = this.#waiting.splice(0, MAX_GROUP_WRITES);
    let answers: readonly (() => void)[] = [];
    try {
      this.#transactions.commit(() => {
        answers = group.map((write) => this.#attempt(write));
      });
    } catch (error) {
      const fault = this.#transactions.toStoreError(error);
      if (fault.kind === 'busy') {
        this.#retryLater(group, fault);
        return;
      }
      const refused = isLasting(fault) ? [...group, ...this.#waiting.splice(0)] : group;
      if (isLasting(fault)) {
        this.#fault = fault;
        this.#transactions.failed(fault);
      }
      answers = refused.map((write) => () => write.reject(fault));
    }
    for (const answer of answers) answer();
    this.#isScheduled = false;
    this.#schedule();
  }

  #attempt(write: Write): () => void {
    try {
      return this.#transactions.isolate(write.run);
    } catch (error) {
      if (!this.#transactions.isIsolated(error)) throw error;
      const fault = this.#transactions.toStoreError(error);
      return () => write.reject(fault);
    }
  }

  #retryLater(group: readonly Write[], fault: StoreError): void {
    const oldestAskedAtMs = this.#clock.monotonicMs() - MAX_BUSY_MS;
    const patient = group.filter(({ askedAtMs }) => askedAtMs > oldestAskedAtMs);
    for (const { askedAtMs, reject } of group) if (askedAtMs <= oldestAskedAtMs) reject(fault);
    this.#waiting.unshift(...patient);
    if (this.#waiting.length === 0) this.#isScheduled = false;
    else this.#clock.after(RETRY_DELAY_MS, () => this.#commit());
  }
}

function isLasting({ kind }: StoreError): boolean {
  return kind === 'failed' || kind === 'corrupt';
}
