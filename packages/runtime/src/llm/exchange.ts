/** One HTTP exchange with a provider, byte by byte: abort, silence and endlessness all end it (reliability.md 2.6). */
import type { Clock } from '../ports.ts';
import { createIdleTimeout } from './idle-timeout.ts';

export type Fetch = typeof globalThis.fetch;

/** Who ended it: the caller, silence, a limit of ours. */
type StopReason = 'aborted' | 'idle' | 'endless';

export type Exchange = {
  /** As `fetch`, but follows no redirect; undefined when stopped first. Called once. */
  send(url: string, init: RequestInit): Promise<Response | undefined>;
  /** The next bytes of the body; undefined: it ended, or was stopped. Rejects when the transport breaks. */
  read(): Promise<Uint8Array | undefined>;
  readonly stopped: StopReason | undefined;
  /** `whole`: the reply is complete, so the rest is read to keep the connection. Otherwise the socket closes. */
  close(state: 'whole' | 'abandoned'): void;
};

export type ExchangeOptions = {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Silence that is too long. */
  readonly timeoutMs: number;
  /** A provider that sends signs of life for ever and no reply ends here. */
  readonly maxDurationMs: number;
  readonly maxBytes: number;
};

const DRAIN_MS = 1000;
const DRAIN_BYTES = 64 * 1024;

/** Waits on its own promise as well as on `fetch`, so that it ends at once even where `fetch` does not. */
export function openExchange(options: ExchangeOptions): Exchange {
  const { clock, signal } = options;
  const controller = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let stopped: StopReason | undefined;
  let bytes = 0;
  let announceStop: (nothing: undefined) => void = () => {};
  const stopping = new Promise<undefined>((resolve) => {
    announceStop = resolve;
  });

  const abandon = () => {
    controller.abort();
    reader?.cancel().catch(() => {});
  };
  const stop = (reason: StopReason) => {
    if (stopped !== undefined) return;
    stopped = reason;
    announceStop(undefined);
    abandon();
  };
  const onAbort = () => stop('aborted');
  const idle = createIdleTimeout(clock, options.timeoutMs, () => stop('idle'));
  const takeBackLimit = clock.after(options.maxDurationMs, () => stop('endless'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  return {
    async send(url, init) {
      if (stopped !== undefined) return undefined;
      idle.wait();
      try {
        // A redirect that is followed would carry the key to another host.
        const answer = options.fetch(url, { ...init, redirect: 'manual', signal: controller.signal });
        const response = await Promise.race([answer, stopping]);
        reader = response?.body?.getReader();
        return response;
      } catch (error) {
        if (stopped === undefined) throw error;
        return undefined;
      } finally {
        idle.rest();
      }
    },

    async read() {
      if (reader === undefined || stopped !== undefined) return undefined;
      idle.wait();
      try {
        const { value } = await reader.read();
        bytes += value?.byteLength ?? 0;
        if (bytes > options.maxBytes) stop('endless');
        return stopped === undefined ? value : undefined;
      } catch (error) {
        if (stopped === undefined) throw error;
        return undefined;
      } finally {
        idle.rest();
      }
    },

    get stopped() {
      return stopped;
    },

    close(state) {
      signal.removeEventListener('abort', onAbort);
      idle.close();
      takeBackLimit();
      if (state === 'whole' && reader !== undefined && stopped === undefined) drain(reader, clock, abandon);
      else abandon();
    },
  };
}

/** Reads what little comes behind the last event, so that the next call needs no new connection. */
function drain(reader: ReadableStreamDefaultReader<Uint8Array>, clock: Clock, abandon: () => void): void {
  const takeBack = clock.after(DRAIN_MS, abandon);
  let bytes = 0;
  const readOn = async () => {
    while (bytes <= DRAIN_BYTES) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
    abandon();
  };
  readOn()
    .catch(() => {})
    .finally(takeBack);
}
