/** A request's messages as what the researcher has to know: the question, what came before, what this turn did so far. */
import {
  chooseLanguage,
  isFromPerson,
  type Language,
  type Message,
  ordinalOf,
  textOf,
  toolCallsOf,
} from '@astroresearch/core';
import { readToolResult, type ToolResult } from './tool-results.ts';

export type CallMade = {
  readonly name: string;
  /** Parsed; null where it is no JSON. */
  readonly arguments: unknown;
  readonly result: ToolResult;
};

export type Conversation = {
  /** The newest message of a person; empty where the request holds none. */
  readonly question: string;
  /** Oldest first. */
  readonly earlierQuestions: readonly string[];
  /** Calls since the question, in their order. */
  readonly calls: readonly CallMade[];
  readonly earlierCalls: readonly CallMade[];
  /** Replies since the question. */
  readonly replies: number;
  /** The answers before the question, oldest first. */
  readonly earlierAnswers: readonly string[];
  /** Of the question; where it holds only names, of the questions before. */
  readonly language: Language;
  /** Number of the newest message: grows with each request of a session. */
  readonly lastOrdinal: number;
};

export function readConversation(request: Iterable<Message>): Conversation {
  const messages = [...request];
  const asked = messages.findLastIndex(isFromPerson);
  const before = messages.slice(0, Math.max(asked, 0));
  const since = messages.slice(asked + 1);
  const question = messages[asked] === undefined ? '' : textOf(messages[asked]).trim();
  const earlierQuestions = before.filter(isFromPerson).map((message) => textOf(message).trim());
  return {
    question,
    earlierQuestions,
    calls: callsOf(since),
    earlierCalls: callsOf(before),
    replies: since.filter(({ role }) => role === 'assistant').length,
    earlierAnswers: before.flatMap((message) => (message.role === 'assistant' ? [textOf(message)] : [])),
    language: languageOf(question, earlierQuestions),
    lastOrdinal: Math.max(0, ...messages.map(({ id }) => ordinalOf(id))),
  };
}

function callsOf(messages: readonly Message[]): readonly CallMade[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.parts[0].toolCallId, message.parts[0].text] as const] : [],
    ),
  );
  return messages.flatMap(toolCallsOf).map(({ name, toolCallId, arguments: written }) => {
    const text = results.get(toolCallId);
    return {
      name,
      arguments: parsed(written),
      result: text === undefined ? { kind: 'none' } : readToolResult(name, text),
    };
  });
}

/** A question without any word of English prose (`NGC 4258?`) goes on in the language of the one before. */
function languageOf(question: string, earlier: readonly string[]): Language {
  const own = chooseLanguage('auto', question);
  const before = earlier.at(-1);
  if (own === 'zh' || before === undefined || /\b[a-z]{2,}\b/.test(question)) return own;
  return languageOf(before, earlier.slice(0, -1));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
