/** L2: puts a summary with its ledger in the place of the older history (context.md 5). The one layer that may ask a model. */
import type { Message } from '../message/message.ts';
import { type ContextEdit, isReplacement } from '../view/edit.ts';
import { blockBudgetTokens, blockFor } from './block.ts';
import { groupsOf } from './groups.ts';
import type { LayerInput } from './layer.ts';
import { charsOf } from './limits.ts';
import { unpinnedRuns } from './pins.ts';

/** What `auto` would replace: each run gets one block. Empty: there is nothing to summarise. */
export function autoRuns(input: Omit<LayerInput, 'narrative'>): readonly (readonly Message[])[] {
  const { messages, pins } = input;
  return unpinnedRuns(messages, pins, chooseCut(input)).filter((run) =>
    run.some((message) => !isReplacement(message)),
  );
}

export function auto(input: LayerInput): readonly ContextEdit[] {
  const runs = autoRuns(input);
  return runs.map((run, index) => {
    // The narrative tells of all that is replaced; it stands once, with the newest.
    const narrative = index === runs.length - 1 ? input.narrative : null;
    return { kind: 'replace', layer: 'auto', replacement: blockFor(run, 'summary', { ...input, narrative }) };
  });
}

/**
 * Where the kept tail begins: at the earliest group from which on everything fits the target together with what is
 * pinned before it and a block of the usual size; at the newest step at the latest.
 */
function chooseCut({ messages, pins, limits }: Omit<LayerInput, 'narrative'>): number {
  const pinnedBefore = messages.slice(0, pins.tailStart).filter((message) => pins.messages.has(message.id));
  const tail = messages.slice(pins.tailStart);
  const fixed = [...pinnedBefore, ...tail];
  let tokens =
    limits.targetTokens -
    limits.toolTokens -
    blockBudgetTokens(limits) -
    sum(fixed, (message) => message.tokens) * limits.scale;
  let chars = (limits.targetChars ?? Number.POSITIVE_INFINITY) - charsOf(fixed);
  let cut = pins.tailStart;
  for (const group of groupsOf(messages.slice(0, pins.tailStart)).toReversed()) {
    const unpinned = messages
      .slice(group.start, group.end)
      .filter((message) => !pins.messages.has(message.id));
    if (unpinned.some(isReplacement)) break;
    tokens -= sum(unpinned, (message) => message.tokens) * limits.scale;
    chars -= charsOf(unpinned);
    if (tokens < 0 || chars < 0) break;
    cut = group.start;
  }
  return cut;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
