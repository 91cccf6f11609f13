/** The sessions that this process has open: each one once, idle ones let go (least recently used first). */
import type { NewEvent } from '@astroresearch/core';
import type { Store } from '../store/store.ts';
import { SessionLog } from './session-log.ts';
import { WrittenMetrics } from './written-metrics.ts';

const MAX_IDLE_SESSIONS = 200;

export class OpenSessions {
  /** Of all sessions that were ever open here. */
  readonly written = new WrittenMetrics();
  readonly #store: Store;
  /** In order of use. A promise while it opens, so that two callers share one log. */
  readonly #open = new Map<string, Promise<SessionLog | null>>();
  readonly #isBusy: (sessionId: string) => boolean;

  constructor(store: Store, isBusy: (sessionId: string) => boolean) {
    this.#store = store;
    this.#isBusy = isBusy;
  }

  async create(sessionId: string, first: NewEvent): Promise<SessionLog> {
    const log = await SessionLog.create(sessionId, this.#store, this.written, first);
    this.#open.set(sessionId, Promise.resolve(log));
    return log;
  }

  /** Null: no such session. */
  async get(sessionId: string): Promise<SessionLog | null> {
    const opening = this.#open.get(sessionId) ?? SessionLog.open(sessionId, this.#store, this.written);
    this.#open.delete(sessionId);
    this.#open.set(sessionId, opening);
    const log = await opening.catch((error: unknown) => {
      this.#open.delete(sessionId);
      throw error;
    });
    if (log === null) this.#open.delete(sessionId);
    await this.#letGo();
    return log;
  }

  remove(sessionId: string): void {
    this.#open.delete(sessionId);
  }

  async endReaders(): Promise<void> {
    for (const opening of this.#open.values()) (await opening)?.endReaders();
  }

  async #letGo(): Promise<void> {
    let excess = this.#open.size - MAX_IDLE_SESSIONS;
    if (excess <= 0) return;
    for (const [sessionId, opening] of [...this.#open]) {
      if (excess <= 0) return;
      const log = await opening.catch(() => null);
      if (this.#isBusy(sessionId) || log?.isWatched === true) continue;
      this.#open.delete(sessionId);
      excess -= 1;
    }
  }
}
