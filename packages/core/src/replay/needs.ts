/** What each recorded step used of what came before it: the literals a view has to show (quality.md 2, Need). */
import { literalsOf } from '../facts/collect-facts.ts';
import type { Message } from '../message/message.ts';

export type Need = {
  readonly literal: string;
  /** Indices of the earlier messages, the system's left out, in which it stands. */
  readonly occurrences: readonly number[];
  /** Messages back to the last of them. */
  readonly distance: number;
};

export type StepNeeds = {
  /** Index of the recorded assistant message; the step is the request before it. */
  readonly position: number;
  readonly needs: readonly Need[];
};

/** A literal in more messages than this share of the session (and than three) is common knowledge, no need. */
const COMMON_SHARE = 0.05;
const COMMON_MESSAGES = 3;

/** One entry for each assistant message, in order. */
export function needsOf(messages: readonly Message[]): readonly StepNeeds[] {
  const literals = messages.map((message) => new Set(literalsOf(message)));
  const maxMessages = Math.max(COMMON_MESSAGES, messages.length * COMMON_SHARE);
  const spread = new Map<string, number>();
  for (const found of literals)
    for (const literal of found) spread.set(literal, (spread.get(literal) ?? 0) + 1);

  const steps: StepNeeds[] = [];
  const occurrences = new Map<string, number[]>();
  const inSystem = new Set<string>();
  let newestUser: ReadonlySet<string> = new Set();
  let newestStep = new Set<string>();
  for (const [position, message] of messages.entries()) {
    const found = literals[position] ?? new Set<string>();
    if (message.role === 'assistant') {
      const needs: Need[] = [];
      for (const literal of found) {
        const earlier = occurrences.get(literal);
        const last = earlier?.at(-1);
        if (earlier === undefined || last === undefined || (spread.get(literal) ?? 0) > maxMessages) continue;
        if (inSystem.has(literal) || newestStep.has(literal) || newestUser.has(literal)) continue;
        needs.push({ literal, occurrences: [...earlier], distance: position - last });
      }
      steps.push({ position, needs });
      newestStep = new Set(found);
    } else if (message.role === 'tool') for (const literal of found) newestStep.add(literal);
    else if (message.role === 'user') newestUser = found;
    for (const literal of found) {
      if (message.role === 'system') inSystem.add(literal);
      else occurrences.set(literal, append(occurrences.get(literal), position));
    }
  }
  return steps;
}

function append(list: number[] | undefined, item: number): number[] {
  if (list === undefined) return [item];
  list.push(item);
  return list;
}
