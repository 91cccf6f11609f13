/** The fact ledger (context.md 5): what stands nowhere in the view any more, listed with refs in the newest block. */
import { collectFacts, literalsOf, rankFacts } from '../facts/collect-facts.ts';
import type { Fact } from '../facts/digest.ts';
import { ledgerText } from '../facts/ledger-text.ts';
import type { Message, TextPart } from '../message/message.ts';
import { countMessage } from '../tokens/estimate.ts';
import { isReplacement, type Replacement } from '../view/edit.ts';
import type { LayerInput } from './layer.ts';
import type { CompactionLimits } from './limits.ts';
import { BLOCK_SECTIONS } from './texts.ts';

/** Its share of the room above the fixed part, and what it has at least. */
const LEDGER_SHARE = 0.1;
const MIN_LEDGER_TOKENS = 200;
/** Where there is room under the target. */
const MAX_LEDGER_SHARE = 0.3;

export function ledgerBudget({ roomTokens }: CompactionLimits): number {
  return Math.max(MIN_LEDGER_TOKENS, Math.round(roomTokens * LEDGER_SHARE));
}

/**
 * What the ledger may weigh now: its share; more where the layers cut deeper than they had to, up to the target; and
 * never more than half of what was freed.
 */
export function ledgerTokens(sizeTokens: number, freedTokens: number, limits: CompactionLimits): number {
  const unused = Math.min(limits.targetTokens - sizeTokens, limits.roomTokens * MAX_LEDGER_SHARE);
  return Math.min(Math.max(ledgerBudget(limits), unused), freedTokens / 2);
}

/**
 * The blocks of the view with one ledger among them, in the newest: of all that blocks stand for and masks hide, less
 * what the view shows elsewhere. A fact that was visible when its block was made, and is not any more, comes back so.
 * Only blocks that change are given. `budgetTokens` bounds the ledger.
 */
export function relistFacts(input: LayerInput, budgetTokens: number): readonly Replacement[] {
  const { messages, count, language } = input;
  const newest = messages.findLast(isReplacement);
  if (newest === undefined) return [];
  const visible = new Set<string>();
  for (const message of messages)
    for (const literal of literalsOf(withoutLedger(message))) visible.add(literal);
  const heading = `\n\n${BLOCK_SECTIONS.ledger[language]}\n`;
  const left = budgetTokens - count(heading);
  const facts = ledgerText(hiddenFacts(input), (literal) => visible.has(literal), left, count);
  const ledger = facts === '' ? '' : `${heading}${facts}`;
  return messages.filter(isReplacement).flatMap((block) => {
    const text = block === newest ? ledger : '';
    return ledgerOf(block) === text ? [] : [withLedger(block, text, input)];
  });
}

/** Best first: of every replaced message, and of every one of which only a part is shown. */
function hiddenFacts({ messages, originalOf }: LayerInput): readonly Fact[] {
  const facts = new Map<string, Fact>();
  for (const block of messages.filter(isReplacement)) {
    for (const fact of block.digest.facts) facts.set(fact.literal, sum(facts.get(fact.literal), fact));
  }
  const cut = messages.map(originalOf).filter((original, index) => original !== messages[index]);
  for (const fact of collectFacts(cut)) facts.set(fact.literal, sum(facts.get(fact.literal), fact));
  return rankFacts([...facts.values()]);
}

/** `later` stands behind `earlier`, or in the same place. */
function sum(earlier: Fact | undefined, later: Fact): Fact {
  return earlier === undefined ? later : { ...later, uses: earlier.uses + later.uses };
}

/** The ledger is the second part of its block. */
function ledgerOf(block: Replacement): string {
  return block.parts[1]?.text ?? '';
}

function withoutLedger(message: Message): Message {
  return isReplacement(message) ? { ...message, parts: message.parts.slice(0, 1) } : message;
}

function withLedger(block: Replacement, ledger: string, { count }: LayerInput): Replacement {
  const [first] = block.parts;
  const parts: readonly TextPart[] = [
    ...(first === undefined ? [] : [first]),
    ...(ledger === '' ? [] : [{ type: 'text' as const, text: ledger }]),
  ];
  return { ...block, parts, tokens: countMessage(parts, count) };
}
