/** What a `finish_reason` means, in the words of the compatible providers. */
import type { ErrorKind } from '@astroresearch/core';
import type { FinishReason } from './language-model.ts';

/** `failure`: the provider gave up. `unknown`: what came decides. */
export type Ending =
  | { readonly kind: 'finish'; readonly reason: FinishReason }
  | { readonly kind: 'failure'; readonly errorKind: ErrorKind }
  | { readonly kind: 'unknown' };

const ENDINGS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ['stop', { kind: 'finish', reason: 'stop' }],
  ['tool_calls', { kind: 'finish', reason: 'tool-calls' }],
  ['function_call', { kind: 'finish', reason: 'tool-calls' }],
  ['length', { kind: 'finish', reason: 'length' }],
  ['max_tokens', { kind: 'finish', reason: 'length' }],
  ['model_context_window_exceeded', { kind: 'finish', reason: 'length' }],
  ['content_filter', { kind: 'finish', reason: 'content-filter' }],
  ['sensitive', { kind: 'finish', reason: 'content-filter' }],
  ['error', { kind: 'failure', errorKind: 'server_error' }],
  ['network_error', { kind: 'failure', errorKind: 'network' }],
  ['insufficient_system_resource', { kind: 'failure', errorKind: 'overloaded' }],
]);

export function endingOf(finishReason: string): Ending {
  return ENDINGS.get(finishReason) ?? { kind: 'unknown' };
}
