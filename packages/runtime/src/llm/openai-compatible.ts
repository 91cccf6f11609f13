/** The adapter for every OpenAI-compatible endpoint (recovery.md, Providers). */
import { createHttpModel, type HttpModelOptions } from './http-model.ts';
import type { LanguageModel } from './language-model.ts';
import { createOpenAiReply } from './openai-chunks.ts';
import { openAiEndpoint } from './openai-endpoint.ts';
import { type OpenAiDialect, openAiRequestBody } from './openai-messages.ts';

export type OpenAiModelOptions = HttpModelOptions & { readonly provider: OpenAiDialect };

const DONE = '[DONE]';

/** Never throws, also not for an address or a key that cannot be used: each call then ends with a failure. */
export function createOpenAiModel(options: OpenAiModelOptions): LanguageModel {
  const { provider } = options;
  const endpoint = openAiEndpoint(options.baseUrl, options.apiKey ?? '');
  return createHttpModel(options, {
    provider,
    endpoint,
    body: (request, model) => openAiRequestBody(request, model, endpoint.outputLimitField, provider),
    reply: createOpenAiReply,
    isEnd: (data) => data.trim() === DONE,
  });
}
