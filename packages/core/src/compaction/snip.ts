/** L0: keeps head and tail, puts one placeholder in the place of the middle (context.md 5). No model call. */
import type { ContextEdit } from '../view/edit.ts';
import { isReplacement } from '../view/edit.ts';
import { blockFor } from './block.ts';
import { findSafeCutPoint, findSafeHead } from './groups.ts';
import type { LayerInput } from './layer.ts';
import { HEAD_KEEP } from './limits.ts';
import { unpinnedRuns } from './pins.ts';

/** Placeholders and summaries do not count: a view that was cut once is not cut again for them. */
export function isOverMessageLimit({ messages, limits }: Pick<LayerInput, 'messages' | 'limits'>): boolean {
  return messages.filter((message) => !isReplacement(message)).length > limits.maxMessages;
}

/** Fires only where it removes something. */
export function snip(input: LayerInput): readonly ContextEdit[] {
  const { messages, pins, limits } = input;
  const head = findSafeHead(messages, HEAD_KEEP);
  const tail = Math.min(findSafeCutPoint(messages, limits.maxMessages - HEAD_KEEP), pins.tailStart);
  const kept = new Set([...pins.messages, ...messages.slice(0, head).map((message) => message.id)]);
  return unpinnedRuns(messages, { ...pins, messages: kept }, tail)
    .filter((run) => run.some((message) => !isReplacement(message)))
    .map((run) => ({ kind: 'replace', layer: 'snip', replacement: blockFor(run, 'placeholder', input) }));
}
