/** Interim. */
import type { Message } from '../message/message.ts';
import { textOf } from '../message/message.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
export function extractiveSummary(options: {
  readonly messages: readonly Message[];
  readonly budgetTokens: number;
  readonly count: TokenCounter;
  readonly language: 'zh' | 'en';
}): string {
  const lines = options.messages.map((m) => textOf(m).slice(0, 80));
  let out = '';
  for (const line of lines) {
    if (options.count(out + line) > options.budgetTokens) break;
    out += line + '\n';
  }
  return out;
}
