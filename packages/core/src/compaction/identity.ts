/** L4: where little is left of a conversation, says again who the agent is and what it is at (context.md 5). */
import { isFromPerson, type Message, textOf, type UserMessage } from '../message/message.ts';
import { countMessage } from '../tokens/estimate.ts';
import type { LayerInput } from './layer.ts';
import { headAndTail } from './project.ts';
import { identityText } from './texts.ts';

const FEW_MESSAGES = 4;
const GOAL_CHARS = 400;

/** Due once: while no identity block stands in the view. */
export function needsIdentity(messages: readonly Message[]): boolean {
  const stands = messages.some((message) => message.role === 'user' && message.kind === 'identity');
  return !stands && messages.filter((message) => message.role !== 'system').length <= FEW_MESSAGES;
}

/** A message of its own, to be appended at the end. */
export function identityMessage(input: Omit<LayerInput, 'narrative'>): UserMessage {
  const newest = input.messages.findLast(isFromPerson);
  const goal =
    newest === undefined ? '' : headAndTail(textOf(newest), newest.id, input.language, GOAL_CHARS / 2);
  const parts = [{ type: 'text' as const, text: identityText(goal, input.tasks, input.language) }];
  return {
    id: input.nextId(),
    role: 'user',
    kind: 'identity',
    agentName: input.agentName,
    turnIndex: input.turnIndex,
    step: input.step,
    parts,
    tokens: countMessage(parts, input.count),
    createdAtMs: input.nowMs,
  };
}
