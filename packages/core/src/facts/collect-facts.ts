/** Facts of a range, counted: which literals were used, how often, by whom, and where last (quality.md 2). */
import { type Message, type MessageId, ordinalOf, type Part } from '../message/message.ts';
import type { Fact } from './digest.ts';
import { literalsIn } from './literals.ts';

/** Facts that a digest keeps for later replacements, the most used first. */
export const KEPT_FACTS = 2_000;

const WEIGHTS = { user: 3, assistant: 2, tool: 1, system: 0 } as const;

/** The facts of `earlier` and those of `messages`, as one; the last place where each stood is its ref. */
export function collectFacts(messages: readonly Message[], earlier: readonly Fact[] = []): readonly Fact[] {
  const facts = new Map<string, Fact>(earlier.map((fact) => [fact.literal, fact]));
  for (const message of messages) {
    const weight = WEIGHTS[message.role];
    if (weight === 0 || (message.role === 'user' && message.kind !== undefined)) continue;
    for (const literal of literalsOf(message)) {
      const known = facts.get(literal);
      facts.set(literal, { literal, ref: latest(known?.ref, message.id), uses: (known?.uses ?? 0) + weight });
    }
  }
  return [...facts.values()];
}

/** Literals of everything in a message that a model reads. */
export function literalsOf(message: Message): readonly string[] {
  const found = new Set<string>();
  for (const part of message.parts as readonly Part[]) {
    if (part.type === 'reasoning') continue;
    for (const literal of literalsIn(part.type === 'tool-call' ? part.arguments : part.text))
      found.add(literal);
  }
  return [...found];
}

/** The most used and latest first; the same facts always come in the same order. */
export function rankFacts(facts: readonly Fact[]): readonly Fact[] {
  const newest = Math.max(1, ...facts.map((fact) => ordinalOf(fact.ref)));
  const score = ({ uses, ref }: Fact) => uses * (0.5 + 0.5 * (ordinalOf(ref) / newest));
  return facts.toSorted(
    (a, b) => score(b) - score(a) || ordinalOf(b.ref) - ordinalOf(a.ref) || (a.literal < b.literal ? -1 : 1),
  );
}

function latest(known: MessageId | undefined, seen: MessageId): MessageId {
  return known !== undefined && ordinalOf(known) > ordinalOf(seen) ? known : seen;
}
