/** `astroresearch classify-error [FILE]`: what a provider's refusal means, and what would be done (api.md; reliability.md 4). */
import { readFile } from 'node:fs/promises';
import {
  actionFor,
  classifyError,
  DEFAULT_SETTINGS,
  isRetryable,
  type ProviderError,
} from '@astroresearch/core';
import { EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

export async function classifyErrorText(
  file: string | undefined,
  options: { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  let text: string;
  try {
    text = file === undefined ? await terminal.readInput() : await readFile(file, 'utf8');
  } catch (error) {
    terminal.error(`${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.failed;
  }
  const { longestRetryAfterMs } = DEFAULT_SETTINGS.retry;
  const { kind, message, retryAfterMs = null, ...numbers } = classifyError(readInput(text), Date.now());
  const isOurs = kind === 'cancelled' || kind === 'not_a_provider_error';
  const result = {
    kind,
    retryable: !isOurs && isRetryable(kind),
    action: isOurs ? 'none' : actionFor(kind, retryAfterMs, longestRetryAfterMs),
    retry_after_ms: retryAfterMs,
    window_tokens: numbers.windowTokens ?? null,
    requested_tokens: numbers.requestedTokens ?? null,
    output_limit_tokens: numbers.outputLimitTokens ?? null,
    message,
  };
  if (options.json === true) terminal.out(`${JSON.stringify(result)}\n`);
  else
    for (const [name, value] of Object.entries(result))
      if (value !== null) terminal.out(`${name}: ${value}\n`);
  return EXIT.done;
}

/** `{status, headers, body}`, or else the text itself is what came. */
function readInput(text: string): ProviderError {
  const plain = { status: null, headers: new Map<string, string>(), body: text };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return plain;
  }
  if (typeof value !== 'object' || value === null || !('body' in value)) return plain;
  const { status, headers, body } = value as { status?: unknown; headers?: unknown; body: unknown };
  const given = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  return {
    status: typeof status === 'number' ? status : null,
    headers: new Map(given.map(([name, header]) => [name.toLowerCase(), String(header)])),
    body,
  };
}
