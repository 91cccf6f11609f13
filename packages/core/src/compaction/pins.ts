/** What no layer may touch (context.md 5): named here, and nowhere else. */
import { isFromPerson, type Message, type MessageId } from '../message/message.ts';
import { groupsOf } from './groups.ts';
import { type CompactionLimits, sizeOf } from './limits.ts';

/** Tools whose results are worth more than their bytes: never masked. */
export const KEPT_TOOLS: ReadonlySet<string> = new Set([
  'todo_write',
  'save_memory',
  'ask_user',
  'compress_context',
  'load_skill',
]);

export type Pins = {
  /** Stay in the view as they are. */
  readonly messages: ReadonlySet<MessageId>;
  /** Index of the first message of the newest complete step; everything from there on stays. */
  readonly tailStart: number;
};

/**
 * Pinned: the system message, the first message of a person, the newest one, the newest task state, and the newest
 * step with all that came after it. Answers to `ask_user` are not pinned as messages: whoever replaces them carries
 * their words (`carriedWords`).
 */
export function pinsOf(messages: readonly Message[]): Pins {
  const pinned = new Set<MessageId>();
  const tailStart = newestStepStart(messages);
  for (const message of messages.slice(tailStart)) pinned.add(message.id);
  for (const message of [
    messages.find((message) => message.role === 'system'),
    messages.find(isFromPerson),
    messages.findLast(isFromPerson),
    messages.findLast((message) => message.role === 'user' && message.kind === 'task_state'),
  ]) {
    if (message !== undefined) pinned.add(message.id);
  }
  return { messages: pinned, tailStart };
}

/** Calibrated tokens of a request that holds nothing else. */
export function pinnedTokens(
  messages: readonly Message[],
  limits: Pick<CompactionLimits, 'toolTokens' | 'scale'>,
): number {
  const pins = pinsOf(messages);
  return sizeOf(
    messages.filter((message) => pins.messages.has(message.id)),
    limits,
  );
}

/** The newest assistant message with its results; the end of the list where there is none. */
function newestStepStart(messages: readonly Message[]): number {
  const newest = groupsOf(messages).findLast(({ start }) => messages[start]?.role === 'assistant');
  return newest?.start ?? messages.length;
}

/** A person's answer to a question of the agent: their own words, though a tool brought them. */
export function isAnswerOfPerson(message: Message): boolean {
  return message.role === 'tool' && message.parts[0].name === 'ask_user';
}

/** Stretches of unpinned messages before `end`, each without a gap, that a replacement could stand for. */
export function unpinnedRuns(
  messages: readonly Message[],
  pins: Pins,
  end: number,
): readonly (readonly Message[])[] {
  const runs: Message[][] = [];
  let current: Message[] = [];
  for (const message of messages.slice(0, end)) {
    if (pins.messages.has(message.id)) {
      if (current.length > 0) runs.push(current);
      current = [];
    } else current.push(message);
  }
  if (current.length > 0) runs.push(current);
  return runs;
}

/** Errors that no later result of the same tool has put right. */
export function unresolvedErrors(messages: readonly Message[]): ReadonlySet<MessageId> {
  const succeeded = new Set<string>();
  const unresolved = new Set<MessageId>();
  for (const message of messages.toReversed()) {
    if (message.role !== 'tool') continue;
    const { name, status } = message.parts[0];
    if (status === 'ok') succeeded.add(name);
    else if (status === 'error' && !succeeded.has(name)) unresolved.add(message.id);
  }
  return unresolved;
}

export function hasSignedReasoning(message: Message): boolean {
  return (
    message.role === 'assistant' &&
    message.parts.some((part) => part.type === 'reasoning' && part.signature !== undefined)
  );
}
