/** Counts what this process has written since it began, in all sessions: the store is never read for it. */
import { EMPTY_METRICS, foldMetrics, type Metrics, type TurnEvent } from '@astroresearch/core';

export class WrittenMetrics {
  #metrics: Metrics = EMPTY_METRICS;

  get metrics(): Metrics {
    return this.#metrics;
  }

  /** Events just stored by this process; what it only read was counted by whoever wrote it. */
  note(events: readonly TurnEvent[]): void {
    this.#metrics = events.reduce(foldMetrics, this.#metrics);
  }
}
