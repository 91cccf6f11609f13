/** The adapter for Anthropic's Messages API (recovery.md, Providers). */
import { anthropicRequestBody } from './anthropic-messages.ts';
import { createAnthropicReply, isMessageStop } from './anthropic-reply.ts';
import { createHttpModel, type HttpModelOptions } from './http-model.ts';
import type { LanguageModel } from './language-model.ts';
import { endpointAt } from './openai-endpoint.ts';

const API_VERSION = '2023-06-01';

/** Never throws, also not for an address or a key that cannot be used: each call then ends with a failure. */
export function createAnthropicModel(options: HttpModelOptions): LanguageModel {
  const key = options.apiKey?.trim() ?? '';
  const credentials = { 'anthropic-version': API_VERSION, ...(key === '' ? {} : { 'x-api-key': key }) };
  return createHttpModel(options, {
    provider: 'anthropic',
    needsOutputLimit: true,
    endpoint: endpointAt(options.baseUrl, '/messages', key, credentials),
    body: anthropicRequestBody,
    reply: createAnthropicReply,
    isEnd: isMessageStop,
  });
}
