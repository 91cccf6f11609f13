/** The ledger as the model reads it: `m12: a · b · c`, a line for each message, within a budget (context.md 5). */
import { type MessageId, ordinalOf } from '../message/message.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import type { Fact } from './digest.ts';
import { literalsIn } from './literals.ts';

/** Tokens that a new line costs beside its literals. */
const LINE_TOKENS = 3;
const SEPARATOR_TOKENS = 1;

/** As many of `ranked` as fit, best first; those for which `isVisible` stand elsewhere in the view and are left out. */
export function ledgerText(
  ranked: readonly Fact[],
  isVisible: (literal: string) => boolean,
  budgetTokens: number,
  count: TokenCounter,
): string {
  const lines = new Map<MessageId, string[]>();
  /** Whoever reads a literal reads those within it too. */
  const listed = new Set<string>();
  let left = budgetTokens;
  for (const { literal, ref } of ranked) {
    if (left < LINE_TOKENS) break;
    if (isVisible(literal) || listed.has(literal)) continue;
    const line = lines.get(ref);
    const cost = count(literal) + SEPARATOR_TOKENS + (line === undefined ? LINE_TOKENS : 0);
    if (cost > left) continue;
    left -= cost;
    for (const inner of literalsIn(literal)) listed.add(inner);
    if (line === undefined) lines.set(ref, [literal]);
    else line.push(literal);
  }
  return [...lines]
    .toSorted(([a], [b]) => ordinalOf(a) - ordinalOf(b))
    .map(([ref, literals]) => `${ref}: ${literals.join(' · ')}`)
    .join('\n');
}
