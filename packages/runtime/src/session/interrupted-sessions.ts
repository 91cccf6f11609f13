/** Takes up turns whose process is gone: at the start, and every few seconds, as leases of the dead run out (I24). */
import type { Clock } from '../ports.ts';

const LOOK_EVERY_MS = 5_000;

export type InterruptedParts = {
  readonly clock: Clock;
  /** Sessions in which a turn has no `done`, whoever drives it. */
  readonly running: () => Promise<readonly string[]>;
  /** True: its turn goes on here now. */
  readonly resume: (sessionId: string) => Promise<boolean>;
  readonly reportFault: (what: string, error: unknown) => void;
};

export class InterruptedSessions {
  readonly #parts: InterruptedParts;
  #takeBack: () => void = () => {};
  #stopped = false;

  constructor(parts: InterruptedParts) {
    this.#parts = parts;
  }

  /** One look now, the next ones by themselves. Gives how many turns go on after the first. Never rejects. */
  async watch(): Promise<number> {
    const resumed = await this.#look();
    if (!this.#stopped) this.#takeBack = this.#parts.clock.after(LOOK_EVERY_MS, () => void this.watch());
    return resumed;
  }

  stop(): void {
    this.#stopped = true;
    this.#takeBack();
  }

  /** One session that cannot be taken up holds up no other. */
  async #look(): Promise<number> {
    const { running, resume, reportFault } = this.#parts;
    let resumed = 0;
    try {
      for (const sessionId of await running()) {
        if (this.#stopped) break;
        try {
          if (await resume(sessionId)) resumed += 1;
        } catch (error) {
          reportFault(`taking up the turn of session ${sessionId}`, error);
        }
      }
    } catch (error) {
      if (!this.#stopped) reportFault('looking for interrupted turns', error);
    }
    return resumed;
  }
}
