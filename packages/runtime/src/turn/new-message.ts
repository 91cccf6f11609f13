/** Makes messages with all their fields: numbered, counted once, dated. */
import {
  countMessage,
  type RunningTurn,
  type Section,
  type SyntheticKind,
  type SystemMessage,
  systemPrompt,
  type TokenCounter,
  type UserMessage,
} from '@astroresearch/core';
import type { Clock } from '../ports.ts';
import type { NextMessageId } from './turn-parts.ts';

type MessageParts = {
  readonly log: { nextMessageId: NextMessageId };
  readonly agentName: string;
  readonly countTokens: TokenCounter;
  readonly clock: Clock;
};

type Place = Pick<RunningTurn, 'turnIndex' | 'step'>;

export function userMessage(
  parts: MessageParts,
  place: Place,
  text: string,
  kind?: SyntheticKind,
): UserMessage {
  return { ...textMessage(parts, place, text), role: 'user', ...(kind === undefined ? {} : { kind }) };
}

/** With no more about its sections than what people are shown: what the memories weigh. */
export function systemMessage(
  parts: MessageParts,
  place: Place,
  sections: readonly Section[],
): SystemMessage {
  const message = textMessage(parts, place, systemPrompt(sections));
  const memory = systemPrompt(sections.filter((section) => section.name === 'memory'));
  return {
    ...message,
    role: 'system',
    ...(memory === '' ? {} : { memoryTokens: parts.countTokens(memory) }),
  };
}

function textMessage(parts: MessageParts, place: Place, text: string) {
  const content = [{ type: 'text' as const, text: text.toWellFormed() }];
  return {
    id: parts.log.nextMessageId(),
    agentName: parts.agentName,
    turnIndex: place.turnIndex,
    step: place.step,
    parts: content,
    tokens: countMessage(content, parts.countTokens),
    createdAtMs: parts.clock.nowMs(),
  };
}
