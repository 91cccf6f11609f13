/** A summary without a model (context.md 5): what was done, and the sentences that carry most facts. */
import type { Language } from '../message/language.ts';
import { type Message, textOf, toolCallsOf } from '../message/message.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import { literalsIn } from './literals.ts';
import { doneText } from './texts.ts';

const MIN_SENTENCE_CHARS = 12;
const MAX_SENTENCE_CHARS = 400;
/** Sentences behind these marks of Chinese, or behind Western ones with a blank, or at the end of a line. */
const SENTENCE_END = /(?<=[。！？；])|(?<=[.!?;])\s+|\n+/;

export type ExtractOptions = {
  readonly messages: readonly Message[];
  readonly budgetTokens: number;
  readonly count: TokenCounter;
  readonly language: Language;
};

/** First a line of what was done, then sentences of the model in their order, each with its ref; empty where neither is. */
export function extractiveSummary({ messages, budgetTokens, count, language }: ExtractOptions): string {
  const done = doneText(toolUses(messages), language);
  let left = budgetTokens - count(done);
  const chosen: Sentence[] = [];
  const told = new Set<string>();
  for (const sentence of sentencesOf(messages).toSorted((a, b) => b.score - a.score)) {
    const tokens = count(sentence.line);
    if (tokens > left || told.has(sentence.text)) continue;
    told.add(sentence.text);
    left -= tokens;
    chosen.push(sentence);
  }
  const lines = chosen.toSorted((a, b) => a.place - b.place).map(({ line }) => line);
  return [done, ...lines].filter((line) => line !== '').join('\n');
}

type Sentence = {
  readonly text: string;
  readonly line: string;
  readonly place: number;
  readonly score: number;
};

function sentencesOf(messages: readonly Message[]): readonly Sentence[] {
  const sentences: Sentence[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const raw of textOf(message).split(SENTENCE_END)) {
      const text = raw.trim();
      if (text.length < MIN_SENTENCE_CHARS || text.length > MAX_SENTENCE_CHARS) continue;
      const place = sentences.length;
      // Facts for their length; a later sentence knows more than an earlier one.
      const score = (literalsIn(text).length + 0.2) / (text.length + 40) + place * 1e-5;
      sentences.push({ text, line: `- [${message.id}] ${text}`, place, score });
    }
  }
  return sentences;
}

/** Tool → how often it was called, most often first. */
function toolUses(messages: readonly Message[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const call of messages.flatMap(toolCallsOf)) uses.set(call.name, (uses.get(call.name) ?? 0) + 1);
  return new Map([...uses].toSorted(([, a], [, b]) => b - a));
}
