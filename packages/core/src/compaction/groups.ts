/** Messages that stay or go together, and the places where a history may be cut (context.md 5, Safe cut points). */
import { type Message, toolCallsOf } from '../message/message.ts';

/** A stretch that no cut may split: an assistant message with its results, or any other message alone. */
export type Group = {
  /** Index of its first message. */
  readonly start: number;
  /** Index behind its last one. */
  readonly end: number;
};

/** In order, without gaps. Contract: the history is valid (`brokenRules` finds nothing). */
export function groupsOf(messages: readonly Message[]): readonly Group[] {
  const groups: Group[] = [];
  for (let start = 0; start < messages.length; ) {
    const calls = toolCallsOf(messages[start] as Message).length;
    const end = Math.min(start + 1 + calls, messages.length);
    groups.push({ start, end });
    start = end;
  }
  return groups;
}

/**
 * The cut that keeps at least the last `desiredKeep` messages: where it would fall between a call and its results it
 * moves back to the assistant message that asked, so that the whole group stays.
 */
export function findSafeCutPoint(messages: readonly Message[], desiredKeep: number): number {
  const candidate = Math.max(0, messages.length - desiredKeep);
  const around = groupsOf(messages).find((group) => group.start < candidate && candidate < group.end);
  return around?.start ?? candidate;
}

/** The same on the head side: a head of at most `desiredKeep` messages that holds no call whose results it lacks. */
export function findSafeHead(messages: readonly Message[], desiredKeep: number): number {
  const candidate = Math.min(desiredKeep, messages.length);
  const around = groupsOf(messages).find((group) => group.start < candidate && candidate < group.end);
  return around?.start ?? candidate;
}
