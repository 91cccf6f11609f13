/** A model that says what it was told to say: the shipped fake for tests, examples and simulations (recovery.md). */
import type { Message, ModelFailure, Usage } from '@astroresearch/core';
import { NO_USAGE, toolCallsOf } from '@astroresearch/core';
import type { Ids } from '../ports.ts';
import type { FinishReason, LanguageModel, ModelEvent, ModelRequest, Purpose } from './language-model.ts';
import { createToolCallAssembly } from './tool-call-assembly.ts';

export type ScriptedToolCall = {
  readonly name: string;
  /** A string goes out as it is, valid JSON or not. */
  readonly arguments?: Readonly<Record<string, unknown>> | string;
  /** Left out: a new one. */
  readonly id?: string;
};

/** Sent in this order: reasoning, text, calls, usage, then the finish or the failure. */
export type ScriptedReply = {
  readonly reasoning?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Left out: the provider reports none. */
  readonly usage?: Partial<Usage>;
  /** Left out: `tool-calls` where there are calls, else `stop`. */
  readonly finish?: FinishReason;
  readonly failure?: ModelFailure;
  /** Code points an event; left out: all in one. */
  readonly chunkChars?: number;
  /** After all that: silence until the caller aborts, instead of an end. */
  readonly hangs?: boolean;
};

/** A request as it was received: a plain value that does not change afterwards. */
export type ReceivedRequest = Omit<ModelRequest, 'messages'> & { readonly messages: readonly Message[] };

/** A list is used up in order; a function gives as many replies as it is asked for (`nth` from 0, of this purpose). */
export type Script =
  | readonly ScriptedReply[]
  | ((request: ReceivedRequest, nth: number) => ScriptedReply | Promise<ScriptedReply>);

export type ScriptedModelOptions = {
  /** For `turn` requests. */
  readonly replies: Script;
  /** For the other purposes; one that has no script here gets a failure that says so. */
  readonly repliesFor?: Readonly<Partial<Record<Exclude<Purpose, 'turn'>, Script>>>;
  readonly provider?: string;
  readonly defaultModel?: string;
  /** For calls without an id; left out: `call_1`, `call_2` … */
  readonly ids?: Ids;
};

export type ScriptedModel = LanguageModel & {
  /** All requests so far, in order. */
  readonly requests: readonly ReceivedRequest[];
  requestsFor(purpose: Purpose): readonly ReceivedRequest[];
};

/** Deterministic: the same script and the same requests give the same events. A script that runs out is a failure. */
export function createScriptedModel(options: ScriptedModelOptions): ScriptedModel {
  const requests: ReceivedRequest[] = [];
  const requestsFor = (purpose: Purpose) => requests.filter((request) => request.purpose === purpose);
  const ids = options.ids ?? numbered('call_');

  const replyTo = async (request: ReceivedRequest): Promise<ScriptedReply> => {
    const nth = requestsFor(request.purpose).length - 1;
    const script = request.purpose === 'turn' ? options.replies : options.repliesFor?.[request.purpose];
    if (script === undefined) {
      return outOfScript(
        `The script has no replies for "${request.purpose}": give repliesFor.${request.purpose}.`,
      );
    }
    if (typeof script === 'function') return script(request, nth);
    return (
      script[nth] ??
      outOfScript(
        `The script has ${script.length} replies for "${request.purpose}" and this is request ${nth + 1}: add a reply.`,
      )
    );
  };

  return {
    provider: options.provider ?? 'scripted',
    defaultModel: options.defaultModel ?? 'scripted-model',
    summarises: options.repliesFor?.summary !== undefined,
    requests,
    requestsFor,
    async *stream(request, signal) {
      if (signal.aborted) return;
      const received = { ...request, messages: [...request.messages] };
      requests.push(received);
      const abort = untilAborted(signal);
      try {
        const reply = await Promise.race([replyTo(received), abort.promise]);
        if (reply === undefined) return;
        for (const event of eventsOfReply(reply, ids, toolCallIdsOf(received.messages))) {
          if (signal.aborted) return;
          yield event;
        }
        if (reply.hangs === true) await abort.promise;
      } finally {
        abort.release();
      }
    },
  };
}

/** The events of one reply, in the order of the contract. */
function eventsOfReply(reply: ScriptedReply, ids: Ids, takenIds: ReadonlySet<string>): readonly ModelEvent[] {
  const events: ModelEvent[] = [];
  for (const text of pieces(reply.reasoning ?? '', reply.chunkChars))
    events.push({ type: 'reasoning', text });
  for (const text of pieces(reply.text ?? '', reply.chunkChars)) events.push({ type: 'text', text });
  const assembly = createToolCallAssembly(ids, takenIds);
  (reply.toolCalls ?? []).forEach((call, index) => {
    const { arguments: written = {} } = call;
    const text = typeof written === 'string' ? written : JSON.stringify(written);
    assembly.add({ index, id: call.id ?? null, name: call.name, arguments: text });
  });
  const calls = assembly.calls();
  for (const call of calls) events.push({ type: 'tool-call', call });
  if (reply.usage !== undefined) events.push({ type: 'usage', usage: { ...NO_USAGE, ...reply.usage } });
  if (reply.hangs === true) return events;
  if (reply.failure !== undefined) events.push({ type: 'failure', failure: reply.failure });
  else events.push({ type: 'finish', reason: reply.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop') });
  return events;
}

/** `text` in pieces of `size` code points; none for an empty text. */
function pieces(text: string, size: number | undefined): readonly string[] {
  if (text === '') return [];
  if (size === undefined || !(size >= 1)) return [text];
  const characters = [...text];
  const list: string[] = [];
  for (let start = 0; start < characters.length; start += Math.floor(size)) {
    list.push(characters.slice(start, start + Math.floor(size)).join(''));
  }
  return list;
}

function outOfScript(message: string): ScriptedReply {
  return { failure: { kind: 'bad_request', message } };
}

function numbered(prefix: string): Ids {
  let count = 0;
  return () => `${prefix}${++count}`;
}

function toolCallIdsOf(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => toolCallsOf(message).map((call) => call.toolCallId)));
}

/** `promise` resolves when `signal` aborts; `release` takes the listener away again. */
function untilAborted(signal: AbortSignal): { readonly promise: Promise<undefined>; release(): void } {
  let release = () => {};
  const promise = new Promise<undefined>((resolve) => {
    const onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    release = () => signal.removeEventListener('abort', onAbort);
  });
  return { promise, release: () => release() };
}
