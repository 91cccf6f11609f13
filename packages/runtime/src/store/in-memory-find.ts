/** Which messages of a session lie in a span, hold a term or were cut: the in-memory store's answers. */
import { type Message, ordinalOf, type ToolMessage, textOf, toolCallsOf } from '@astroresearch/core';
import { lowerAscii, readable } from './readable-text.ts';
import type { MessageSearch, MessageSpan, SearchTerm } from './store.ts';

/** `messages`: ascending by number. */
export function messagesIn(messages: readonly Message[], span: MessageSpan): readonly Message[] {
  return messages.filter((message) => isIn(message, span)).slice(0, span.limit);
}

/** Most terms first, then newest first. */
export function findIn(messages: readonly Message[], search: MessageSearch): readonly Message[] {
  const { exceptTool, terms } = search;
  const hits: { readonly message: Message; readonly count: number }[] = [];
  for (const message of messages) {
    if (!isIn(message, search) || message.role === 'system' || isResultOf(message, exceptTool)) continue;
    const texts = [textOf(message), callsText(message, exceptTool)].map((text) => lowerAscii(readable(text)));
    const count = terms.filter((term) => texts.some((text) => hasTerm(text, term))).length;
    if (count > 0) hits.push({ message, count });
  }
  hits.sort((a, b) => b.count - a.count || ordinalOf(b.message.id) - ordinalOf(a.message.id));
  return hits.slice(0, search.limit).map(({ message }) => message);
}

export function cutResultsIn(messages: readonly Message[], span: MessageSpan): readonly ToolMessage[] {
  return messages
    .filter((message) => message.role === 'tool')
    .filter((message) => isIn(message, span) && message.fullOutput !== undefined)
    .reverse()
    .slice(0, span.limit);
}

function isIn(message: Message, { agentName, from, to }: MessageSpan): boolean {
  const ordinal = ordinalOf(message.id);
  const isTheirs = agentName === '*' || message.agentName === agentName;
  return isTheirs && ordinal >= ordinalOf(from) && ordinal <= ordinalOf(to);
}

function isResultOf(message: Message, tool: string): boolean {
  return message.role === 'tool' && message.parts[0].name === tool;
}

function callsText(message: Message, exceptTool: string): string {
  const calls = toolCallsOf(message).filter(({ name }) => name !== exceptTool);
  return calls.map((call) => `${call.name}\n${call.arguments}`).join('\n');
}

function hasTerm(text: string, term: SearchTerm): boolean {
  return term.some((spelling) => text.includes(lowerAscii(spelling)));
}
