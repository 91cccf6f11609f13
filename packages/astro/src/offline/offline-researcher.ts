/** The offline model: a rule-based researcher behind the port of language models. It is none, and says so (recovery.md). */
import type { ToolCallPart } from '@astroresearch/core';
import type { LanguageModel, ModelEvent, ModelRequest } from '@astroresearch/runtime';
import { isInsidePhrase } from '../language/concepts.ts';
import { createNameFinder, type NamesIn } from '../objects/catalogue-names.ts';
import { shippedObjects } from '../objects/shipped-objects.ts';
import { composeAnswer } from './answer.ts';
import { type Conversation, readConversation } from './conversation.ts';
import { streamPieces } from './markdown.ts';
import { askedAbout, nextMove, type PlannedCall } from './next-move.ts';

/** Deterministic: the same messages and tools give the same events. Plans, searches, reads and answers with citations, in at most five replies a turn. */
export function createOfflineResearcher(): LanguageModel {
  let finder: NamesIn | null = null;
  // Made at the first request, so that a start with another model costs nothing.
  const namesIn: NamesIn = (text) => {
    finder ??= createNameFinder(shippedObjects(), isInsidePhrase);
    return finder(text);
  };
  return {
    provider: 'offline',
    defaultModel: 'offline-researcher',
    summarises: false,
    async *stream(request, signal) {
      for (const event of eventsFor(request, namesIn)) {
        if (signal.aborted) return;
        yield event;
      }
    },
  };
}

function eventsFor(request: ModelRequest, namesIn: NamesIn): readonly ModelEvent[] {
  switch (request.purpose) {
    case 'turn':
    case 'subagent':
      return turnEvents(request, namesIn);
    case 'title':
      return textEvents(titleOf(readConversation(request.messages)));
    case 'memory':
      return textEvents('[]');
    case 'summary':
      return [
        {
          type: 'failure',
          failure: {
            kind: 'bad_request',
            message:
              'The offline researcher writes no summaries: take extracts, or configure a language model.',
          },
        },
      ];
    default:
      return request.purpose satisfies never;
  }
}

function turnEvents(request: ModelRequest, namesIn: NamesIn): readonly ModelEvent[] {
  const conversation = readConversation(request.messages);
  const offered = request.toolChoice === 'none' ? [] : request.tools.map(({ name }) => name);
  const tools = new Set(offered);
  const move = nextMove({ conversation, tools, namesIn });
  switch (move.kind) {
    case 'call-tools':
      return [
        { type: 'text', text: move.text },
        ...move.calls.map(
          (call, index): ModelEvent => ({
            type: 'tool-call',
            call: toolCall(call, conversation.lastOrdinal, index),
          }),
        ),
        { type: 'finish', reason: 'tool-calls' },
      ];
    case 'answer': {
      const { query, goesOn } = askedAbout({ conversation, namesIn });
      const mayLookUp = tools.size > 0;
      return textEvents(composeAnswer({ conversation, asked: query, goesOn, mayLookUp, namesIn }));
    }
    default:
      return move satisfies never;
  }
}

/** The message that the call follows numbers it, so that no id comes twice in a session. */
function toolCall({ name, arguments: given }: PlannedCall, after: number, index: number): ToolCallPart {
  const toolCallId = `offline_${after}_${index + 1}`;
  return { type: 'tool-call', toolCallId, name, arguments: JSON.stringify(given) };
}

function textEvents(text: string): readonly ModelEvent[] {
  return [
    ...streamPieces(text).map((piece): ModelEvent => ({ type: 'text', text: piece })),
    { type: 'finish', reason: 'stop' },
  ];
}

const MAX_TITLE_WORDS = 8;
const MAX_TITLE_CHARS = 40;

/** The first words of the first question. */
function titleOf({ question, earlierQuestions }: Conversation): string {
  const first = earlierQuestions[0] ?? question;
  const words = first.split(/\s+/).slice(0, MAX_TITLE_WORDS).join(' ');
  return [...words].slice(0, MAX_TITLE_CHARS).join('').trim() || '…';
}
