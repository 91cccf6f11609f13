/** One request over HTTP, one stream of model events: what is the same for every dialect (recovery.md, Providers). */
import type { ModelFailure } from '@astroresearch/core';
import type { Clock, Ids } from '../ports.ts';
import { type Exchange, type Fetch, openExchange } from './exchange.ts';
import { failureOfAnswer, failureOfRedirect, failureOfTransport, redact } from './failure.ts';
import { parseJson } from './json-fields.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from './language-model.ts';
import type { DialectReply, ReplyOptions } from './openai-chunks.ts';
import type { Endpoint } from './openai-endpoint.ts';
import type { RequestBody } from './openai-messages.ts';
import { createSseReader, MAX_EVENT_CHARS } from './sse-reader.ts';

export type HttpModelOptions = {
  /** With the version: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Left out, or empty: no key is sent. */
  readonly apiKey?: string;
  readonly defaultModel: string;
  /** Silence that ends a call; counted from the last byte. */
  readonly timeoutMs: number;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** For calls whose id is missing or not their own. */
  readonly ids: Ids;
  /** The longest that one reply may take, however lively. */
  readonly maxDurationMs?: number;
};

/** What differs from one kind of API to another. */
export type Dialect = {
  readonly provider: string;
  readonly endpoint: Endpoint;
  readonly needsOutputLimit?: boolean;
  body(request: ModelRequest, model: string): RequestBody;
  reply(options: ReplyOptions): DialectReply;
  /** The event that ends a stream by its own sign. */
  isEnd(data: string): boolean;
};

const DEFAULT_MAX_DURATION_MS = 30 * 60 * 1000;
const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** Never throws, also not for an address or a key that cannot be used: each call then ends with a failure. */
export function createHttpModel(options: HttpModelOptions, dialect: Dialect): LanguageModel {
  const { endpoint } = dialect;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (signal.aborted) return;
    if (endpoint.failure !== null) return yield { type: 'failure', failure: endpoint.failure };
    const model = request.model === '' ? options.defaultModel : request.model;
    const body = dialect.body(request, model);
    const reply = dialect.reply({
      ids: options.ids,
      takenIds: body.toolCallIds,
      maxOutputTokens: request.maxOutputTokens,
      secrets: endpoint.secrets,
    });
    const exchange = openExchange({
      fetch: options.fetch,
      clock: options.clock,
      signal,
      timeoutMs: options.timeoutMs,
      maxDurationMs: options.maxDurationMs ?? DEFAULT_MAX_DURATION_MS,
      maxBytes: MAX_REPLY_BYTES,
    });
    let whole = false;
    try {
      for await (const events of eventsOf(exchange, reply, request, body.json)) {
        for (const event of events) {
          if (signal.aborted) return;
          whole = event.type === 'finish';
          yield event;
          if (event.type === 'finish' || event.type === 'failure') return;
        }
      }
    } finally {
      exchange.close(whole ? 'whole' : 'abandoned');
    }
  }

  /** All that comes of one exchange, a piece of the network at a time; without an end only where the caller aborted. */
  async function* eventsOf(
    exchange: Exchange,
    reply: DialectReply,
    request: ModelRequest,
    json: string,
  ): AsyncGenerator<readonly ModelEvent[]> {
    let phase: 'connect' | 'answer' = 'connect';
    try {
      const headers = { ...endpoint.headers, 'x-astroresearch-purpose': request.purpose };
      const response = await exchange.send(endpoint.url, { method: 'POST', headers, body: json });
      if (response === undefined) return yield eventsOfStop(exchange, reply);
      phase = 'answer';
      if (isRedirect(response)) return yield failed(failureOfRedirect(response, endpoint));
      if (!response.ok) return yield failed(await answerFailure(exchange, response));
      const type = response.headers.get('content-type') ?? '';
      if (type.includes('text/html')) return yield failed(HTML_PAGE);
      if (type.includes('json')) return yield await wholeReply(exchange, reply);
      yield* streamedReply(exchange, reply);
    } catch (error) {
      // The provider had already said why it stopped: a connection cut behind that loses nothing.
      if (reply.ended) yield reply.end('done');
      else yield failed(failureOfTransport(error, phase, endpoint.display, endpoint.secrets));
    }
  }

  async function* streamedReply(
    exchange: Exchange,
    reply: DialectReply,
  ): AsyncGenerator<readonly ModelEvent[]> {
    let events: ModelEvent[] = [];
    let done = false;
    let flushing = false;
    const reader = createSseReader(({ data, event }) => {
      if (done) return;
      if (dialect.isEnd(data)) {
        done = true;
        return;
      }
      const chunk = event === 'error' ? { error: parseJson(data) ?? data } : parseJson(data);
      // A last event without its empty line may be cut in the middle: that is the stream's fault, not the event's.
      // Behind the reason why the provider stopped, it takes nothing from the reply either.
      if (chunk === undefined && (flushing || reply.ended)) return;
      const more = chunk === undefined ? failed(notJson(data)) : reply.accept(chunk);
      for (const each of more) events.push(each);
    });

    for (;;) {
      const bytes = await exchange.read();
      if (bytes !== undefined) {
        if (!reader.feed(bytes)) events.push(...failed(TOO_LARGE));
      } else if (exchange.stopped !== undefined) {
        return yield eventsOfStop(exchange, reply);
      } else {
        flushing = true;
        reader.end();
      }
      if (events.length > 0) yield events;
      events = [];
      if (done) return yield reply.end('done');
      if (bytes === undefined) return yield reply.end('broken');
      if (reply.runaway) return yield reply.end('cut');
    }
  }

  /** The answer of an endpoint that does not stream although asked to. */
  async function wholeReply(exchange: Exchange, reply: DialectReply): Promise<readonly ModelEvent[]> {
    const text = await readText(exchange, MAX_EVENT_CHARS);
    if (exchange.stopped !== undefined) return eventsOfStop(exchange, reply);
    const value = parseJson(text);
    if (value === undefined) return failed(notJson(text));
    return [...reply.accept(value), ...reply.end('done')];
  }

  function eventsOfStop(exchange: Exchange, reply: DialectReply): readonly ModelEvent[] {
    switch (exchange.stopped) {
      case undefined:
      case 'aborted':
        return [];
      case 'idle':
        return reply.ended ? reply.end('done') : failed(silent(options.timeoutMs));
      case 'endless':
        return reply.end('cut');
      default:
        return exchange.stopped satisfies never;
    }
  }

  async function answerFailure(exchange: Exchange, response: Response): Promise<ModelFailure> {
    let body = '';
    try {
      body = await readText(exchange, MAX_ERROR_BODY_BYTES);
    } catch {
      // The status alone says enough.
    }
    return failureOfAnswer(
      { status: response.status, headers: response.headers, body },
      { nowMs: options.clock.nowMs(), secrets: endpoint.secrets },
    );
  }

  function notJson(data: string): ModelFailure {
    const message = `The provider sent something that is not JSON: ${data.slice(0, 200)}`;
    return { kind: 'server_error', message: redact(message, endpoint.secrets) };
  }

  return {
    provider: dialect.provider,
    defaultModel: options.defaultModel,
    summarises: true,
    needsOutputLimit: dialect.needsOutputLimit ?? false,
    stream,
  };
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

/** The body as text, at most `maxBytes` of it. */
async function readText(exchange: Exchange, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8');
  let text = '';
  let length = 0;
  for (let bytes = await exchange.read(); bytes !== undefined; bytes = await exchange.read()) {
    text += decoder.decode(bytes, { stream: true });
    length += bytes.byteLength;
    if (length >= maxBytes) break;
  }
  return text + decoder.decode();
}

function failed(failure: ModelFailure): readonly ModelEvent[] {
  return [{ type: 'failure', failure }];
}

function silent(timeoutMs: number): ModelFailure {
  return { kind: 'timeout', message: `The provider sent nothing for ${timeoutMs / 1000} s.` };
}

const HTML_PAGE: ModelFailure = {
  kind: 'server_error',
  message:
    'The address answered with an HTML page instead of an API answer. Check the base URL, and whether the network asks for a sign-in.',
};
const TOO_LARGE: ModelFailure = {
  kind: 'server_error',
  message: `One event of the stream was larger than ${MAX_EVENT_CHARS} characters.`,
};
