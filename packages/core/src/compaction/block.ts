/** The one message that stands for a replaced range: a person's words, a summary, and the ledger of its facts (context.md 5). */
import { collectFacts, KEPT_FACTS, rankFacts } from '../facts/collect-facts.ts';
import type { Digest } from '../facts/digest.ts';
import { extractiveSummary } from '../facts/extract.ts';
import { coverage, isFromPerson, type Message, type MessageRange, textOf } from '../message/message.ts';
import { countMessage } from '../tokens/estimate.ts';
import { isReplacement, type Replacement } from '../view/edit.ts';
import type { LayerInput } from './layer.ts';
import { ledgerBudget } from './ledger.ts';
import { type CompactionLimits, WORDS_SHARE } from './limits.ts';
import { isAnswerOfPerson } from './pins.ts';
import { headAndTail } from './project.ts';
import { BLOCK_SECTIONS, blockHeading } from './texts.ts';

/** Of an extract. */
export const EXTRACT_TOKENS = 300;
const HEADING_TOKENS = 80;
/** Characters of head and tail that remain of words that are too many. */
const CUT_WORDS_CHARS = 160;

/** What a block weighs, about: for planning where the kept tail begins. */
export function blockBudgetTokens(limits: CompactionLimits): number {
  return ledgerBudget(limits) + EXTRACT_TOKENS + HEADING_TOKENS;
}

/** Heading, a person's words, the summary; the ledger is put in when the layers are done (`ledger.ts`). */
export function blockFor(
  run: readonly Message[],
  kind: 'summary' | 'placeholder',
  input: LayerInput,
): Replacement {
  const { count, language, narrative } = input;
  const covers = rangeOf(run);
  const digest = digestOf(run, narrative, input);
  const sections = [
    blockHeading(covers, digest.messages, language),
    section(BLOCK_SECTIONS.words[language], wordsText(digest, input)),
    section(BLOCK_SECTIONS.summary[language], kind === 'summary' ? summaryText(run, digest, input) : ''),
  ];
  const parts = [{ type: 'text' as const, text: sections.filter((text) => text !== '').join('\n\n') }];
  return {
    id: input.nextId(),
    role: 'user',
    kind,
    covers,
    digest,
    agentName: input.agentName,
    turnIndex: input.turnIndex,
    step: input.step,
    parts,
    tokens: countMessage(parts, count),
    createdAtMs: input.nowMs,
  };
}

function rangeOf(run: readonly Message[]): MessageRange {
  const first = run[0];
  const last = run.at(-1);
  if (first === undefined || last === undefined) throw new Error('a range of no messages cannot be replaced');
  return { from: coverage(first).from, to: coverage(last).to };
}

function digestOf(run: readonly Message[], narrative: string | null, { originalOf }: LayerInput): Digest {
  const earlier = run.filter(isReplacement);
  // Facts of what was stored: a mask shows only the best of them.
  const plain = run.filter((message) => !isReplacement(message)).map(originalOf);
  const own = plain
    .filter((message) => isFromPerson(message) || isAnswerOfPerson(message))
    .map((message) => ({ ref: message.id, text: textOf(message) }));
  const facts = collectFacts(
    plain,
    earlier.flatMap(({ digest }) => digest.facts),
  );
  return {
    messages: plain.length + earlier.reduce((sum, { digest }) => sum + digest.messages, 0),
    words: [...earlier.flatMap(({ digest }) => digest.words), ...own],
    facts: rankFacts(facts).slice(0, KEPT_FACTS),
    narrative: narrative ?? earlierNarrativeOf(earlier),
  };
}

function earlierNarrativeOf(earlier: readonly Replacement[]): string | null {
  const narratives = earlier.flatMap(({ digest }) => (digest.narrative === null ? [] : [digest.narrative]));
  return narratives.length === 0 ? null : narratives.join('\n\n');
}

/** Verbatim, newest first to the budget; what is older is cut to head and tail, then left to recall. */
function wordsText({ words }: Digest, { limits, count, language }: LayerInput): string {
  let left = Math.min(limits.targetTokens, limits.triggerTokens) * WORDS_SHARE;
  const lines: string[] = [];
  for (const { ref, text } of words.toReversed()) {
    const whole = `[${ref}] ${text}`;
    const line =
      count(whole) <= left ? whole : `[${ref}] ${headAndTail(text, ref, language, CUT_WORDS_CHARS)}`;
    const tokens = count(line);
    if (tokens > left) break;
    left -= tokens;
    lines.unshift(line);
  }
  return lines.join('\n');
}

/** A model's narrative, or an extract of what it does not tell of yet. */
function summaryText(run: readonly Message[], digest: Digest, input: LayerInput): string {
  if (input.narrative !== null) return input.narrative;
  const { count, language } = input;
  const plain = run.filter((message) => !isReplacement(message)).map(input.originalOf);
  const extract = extractiveSummary({ messages: plain, budgetTokens: EXTRACT_TOKENS, count, language });
  return [digest.narrative ?? '', extract].filter((text) => text !== '').join('\n\n');
}

function section(heading: string, text: string): string {
  return text === '' ? '' : `${heading}\n${text}`;
}
