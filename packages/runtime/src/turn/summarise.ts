/** Asks the model for a narrative of what a compaction replaces; anything but a finished text counts as refused. */
import {
  countMessage,
  earlierNarrative,
  type Language,
  type Message,
  type SummaryReply,
  summarySystemText,
  summaryUserText,
} from '@astroresearch/core';
import type { CompactParts } from './turn-parts.ts';

/** Tokens that a narrative may have; asked of the provider, so that a runaway ends. */
const MAX_NARRATIVE_TOKENS = 1_200;
/** Share of the window that the record may fill; the rest is for the prompt, the answer and miscounting. */
const RECORD_SHARE = 0.6;
/** Characters a token has at least, so that a record of Chinese fits too. */
const CHARS_A_TOKEN = 1.2;

export type SummaryTask = {
  readonly messages: readonly Message[];
  readonly keep: string | null;
  readonly language: Language;
  readonly model: string;
};

/** What a summary is asked with. */
export type SummaryParts = Pick<CompactParts, 'agentName' | 'model' | 'settings' | 'countTokens' | 'signal'>;

/** Never throws for a model's fault: that is a refusal, with its reason. */
export async function summarise(task: SummaryTask, parts: SummaryParts): Promise<SummaryReply> {
  if (!parts.model.summarises) return { kind: 'none' };
  const question = { ...task, earlier: earlierNarrative(task.messages) };
  const maxChars = Math.floor(parts.settings.compaction.windowTokens * RECORD_SHARE * CHARS_A_TOKEN);
  const events = parts.model.stream(
    {
      purpose: 'summary',
      model: task.model,
      messages: [
        textMessage('system', summarySystemText(task.language), parts),
        textMessage('user', summaryUserText(question, maxChars), parts),
      ],
      tools: [],
      toolChoice: 'none',
      enableThinking: false,
      maxOutputTokens: MAX_NARRATIVE_TOKENS,
    },
    parts.signal,
  );
  let text = '';
  let calls = 0;
  for await (const event of events) {
    switch (event.type) {
      case 'text':
        text += event.text;
        break;
      case 'tool-call':
        calls += 1;
        break;
      case 'finish':
        return judge(text, calls, event.reason);
      case 'failure':
        return { kind: 'refused', reason: `${event.failure.kind}: ${event.failure.message}` };
      case 'reasoning':
      case 'usage':
        break;
      default:
        event satisfies never;
    }
  }
  return { kind: 'refused', reason: 'the model gave no end' };
}

function judge(text: string, calls: number, reason: string): SummaryReply {
  if (reason === 'length') return { kind: 'refused', reason: 'cut off by the output limit' };
  if (reason === 'content-filter') return { kind: 'refused', reason: 'refused by the provider' };
  if (calls > 0) return { kind: 'refused', reason: 'a tool call instead of a summary' };
  if (text.trim() === '') return { kind: 'refused', reason: 'an empty summary' };
  return { kind: 'narrative', text: text.trim().toWellFormed() };
}

function textMessage<Role extends 'system' | 'user'>(role: Role, text: string, parts: SummaryParts) {
  const content = [{ type: 'text' as const, text }];
  return {
    id: 'm0' as const,
    role,
    agentName: parts.agentName,
    turnIndex: 0,
    step: 0,
    parts: content,
    tokens: countMessage(content, parts.countTokens),
    createdAtMs: 0,
  };
}
