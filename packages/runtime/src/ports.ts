/** What the world is to the runtime: time, ids, chance. Passed in, so that tests and the simulator pass their own. */

export type Clock = {
  /** Wall time, ms since 1970; for people and for `created_at`, never for order. */
  nowMs(): number;
  /** Time that only grows, ms; for durations and timeouts. */
  monotonicMs(): number;
  /** Calls `run` once after `delayMs`; the returned function takes it back. */
  after(delayMs: number, run: () => void): () => void;
};

/** A new id each call: UUIDs outside of tests. */
export type Ids = () => string;
