/** Asks the model for a narrative of what a compaction replaces; anything but a finished text counts as refused. */
import {
  countMessage,
  earlierNarrative,
  isBelievable,
  type Language,
  type Message,
  NO_USAGE,
  requestTokensOf,
  type SummaryReply,
  summaryChunks,
  summarySystemText,
  summaryUserText,
  type Usage,
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
export type SummaryParts = Pick<
  CompactParts,
  'agentName' | 'model' | 'settings' | 'countTokens' | 'signal'
> & {
  /** Told of every call, used or not. */
  readonly noteUsage?: (usage: Usage) => void;
};

/**
 * Never throws for a model's fault: that is a refusal, with its reason. A history that is larger than the model takes
 * goes in piece by piece; a piece that is refused refuses the whole.
 */
export async function summarise(task: SummaryTask, parts: SummaryParts): Promise<SummaryReply> {
  if (!parts.model.summarises) return { kind: 'none' };
  const maxChars = Math.floor(requestTokensOf(task.model, parts.settings) * RECORD_SHARE * CHARS_A_TOKEN);
  let earlier = earlierNarrative(task.messages);
  let reply: SummaryReply = { kind: 'none' };
  for (const messages of summaryChunks(task.messages, maxChars, task.language)) {
    reply = await ask(summaryUserText({ ...task, messages, earlier }, maxChars), task, parts);
    if (reply.kind !== 'narrative') return reply;
    earlier = reply.text;
  }
  return reply;
}

async function ask(text: string, task: SummaryTask, parts: SummaryParts): Promise<SummaryReply> {
  const messages = [
    textMessage('system', summarySystemText(task.language), parts),
    textMessage('user', text, parts),
  ];
  const events = parts.model.stream(
    {
      purpose: 'summary',
      model: task.model,
      messages,
      tools: [],
      toolChoice: 'none',
      enableThinking: false,
      maxOutputTokens: MAX_NARRATIVE_TOKENS,
    },
    parts.signal,
  );
  let narrative = '';
  let calls = 0;
  let reported: Usage | null = null;
  const noteUsage = () => {
    const promptTokens = messages.reduce((sum, message) => sum + message.tokens, 0);
    const own = {
      ...NO_USAGE,
      promptTokens,
      completionTokens: parts.countTokens(narrative),
      estimated: true,
    };
    parts.noteUsage?.(reported !== null && isBelievable(reported, promptTokens) ? reported : own);
  };
  for await (const event of events) {
    switch (event.type) {
      case 'text':
        narrative += event.text;
        break;
      case 'tool-call':
        calls += 1;
        break;
      case 'finish':
        noteUsage();
        return judge(narrative, calls, event.reason);
      case 'failure':
        if (reported !== null) noteUsage();
        return { kind: 'refused', reason: `${event.failure.kind}: ${event.failure.message}` };
      case 'usage':
        reported = event.usage;
        break;
      case 'reasoning':
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
