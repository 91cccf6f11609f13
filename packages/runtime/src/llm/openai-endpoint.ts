/** Where a provider is called, and with which headers: worked out once for each model. */
import type { ModelFailure } from '@astroresearch/core';
import type { OutputLimitField } from './openai-messages.ts';

export type Endpoint = {
  readonly url: string;
  /** The URL as people may see it: without user, password and query. */
  readonly display: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What must not be seen in any message. */
  readonly secrets: readonly string[];
  /** Set where no request can be sent at all. */
  readonly failure: ModelFailure | null;
};

export type OpenAiEndpoint = Endpoint & { readonly outputLimitField: OutputLimitField };

/** OpenAI's newer models refuse `max_tokens`; most others know nothing else. */
const KNOWS_MAX_COMPLETION_TOKENS = /(^|\.)(api\.openai\.com|openai\.azure\.com)$/;

export function openAiEndpoint(baseUrl: string, apiKey: string): OpenAiEndpoint {
  const key = apiKey.trim();
  const endpoint = endpointAt(
    baseUrl,
    '/chat/completions',
    key,
    key === '' ? {} : { authorization: `Bearer ${key}` },
  );
  const host = URL.canParse(endpoint.url) ? new URL(endpoint.url).hostname : '';
  return {
    ...endpoint,
    outputLimitField: KNOWS_MAX_COMPLETION_TOKENS.test(host) ? 'max_completion_tokens' : 'max_tokens',
  };
}

/** `credentials`: the headers that carry the key. A base URL that ends with `path` already is taken as it is. */
export function endpointAt(
  baseUrl: string,
  path: string,
  key: string,
  credentials: Readonly<Record<string, string>>,
): Endpoint {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const secrets = [key, url?.password ?? ''].filter((secret) => secret !== '');
  const base = url?.pathname.replace(/\/+$/, '') ?? '';
  if (url !== null) url.pathname = base.endsWith(path) ? base : `${base}${path}`;
  return {
    url: url?.href ?? '',
    display: url === null ? 'the given address' : url.origin + url.pathname,
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...credentials },
    secrets,
    failure: unusable(url, key),
  };
}

function unusable(url: URL | null, key: string): ModelFailure | null {
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { kind: 'bad_request', message: 'The base URL is no http(s) address; set LLM_BASE_URL to one.' };
  }
  if (url.username !== '' || url.password !== '') {
    return { kind: 'bad_request', message: 'The base URL holds a user or password; take them out of it.' };
  }
  if (!/^[\x21-\x7e]*$/.test(key)) {
    return { kind: 'auth', message: 'The API key holds a character that no header can carry; copy it anew.' };
  }
  return null;
}
