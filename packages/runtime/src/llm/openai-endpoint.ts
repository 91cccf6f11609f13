/** Where an OpenAI-compatible provider is called, and with which headers: worked out once for each model. */
import type { ModelFailure } from '@astroresearch/core';
import type { OutputLimitField } from './openai-messages.ts';

export type OpenAiEndpoint = {
  readonly url: string;
  /** The URL as people may see it: without user, password and query. */
  readonly display: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What must not be seen in any message. */
  readonly secrets: readonly string[];
  readonly outputLimitField: OutputLimitField;
  /** Set where no request can be sent at all. */
  readonly failure: ModelFailure | null;
};

/** OpenAI's newer models refuse `max_tokens`; most others know nothing else. */
const KNOWS_MAX_COMPLETION_TOKENS = /(^|\.)(api\.openai\.com|openai\.azure\.com)$/;

export function openAiEndpoint(baseUrl: string, apiKey: string): OpenAiEndpoint {
  const key = apiKey.trim();
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const secrets = [key, url?.password ?? ''].filter((secret) => secret !== '');
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  const fullPath = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  if (url !== null) url.pathname = fullPath;
  return {
    url: url?.href ?? '',
    display: url === null ? 'the given address' : url.origin + url.pathname,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    },
    secrets,
    outputLimitField: KNOWS_MAX_COMPLETION_TOKENS.test(url?.hostname ?? '')
      ? 'max_completion_tokens'
      : 'max_tokens',
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
