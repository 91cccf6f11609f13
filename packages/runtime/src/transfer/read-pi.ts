/** A session file of pi (versions 1 to 3): its active branch as messages. */
import { branchTo } from './branch.ts';
import {
  callPart,
  contentText,
  type Draft,
  fieldsOf,
  listOf,
  reasoningParts,
  resultDraft,
  stringOf,
  textParts,
} from './foreign-parts.ts';
import { type Fields, type JsonLine, readJsonLines } from './json-lines.ts';
import type { ReadConversation, SkippedLine } from './transfer-types.ts';

export function readPi(text: string): ReadConversation {
  const read = readJsonLines(text);
  if (read.kind === 'unreadable') return read;
  const entries = read.lines.filter(({ value }) => value.type !== 'session');
  const branch = activeBranch(entries);
  const messages: Draft[] = [];
  const skipped: SkippedLine[] = [];
  let title: string | null = null;
  for (const entry of entries) {
    const { line, value } = entry;
    const drafts = branch.has(entry) ? draftsOf(value) : 'on a branch that was left';
    if (value.type === 'session_info' && typeof value.name === 'string') title = value.name;
    else if (typeof drafts === 'string') skipped.push({ line, reason: drafts });
    else messages.push(...drafts);
  }
  return { kind: 'conversation', messages, title, skipped };
}

/** Version 1 has no ids: its lines follow each other. */
function activeBranch(entries: readonly JsonLine[]): ReadonlySet<JsonLine> {
  const leaf = entries.findLast(({ value }) => typeof value.id === 'string');
  if (leaf === undefined) return new Set(entries);
  const byId = new Map(entries.map((entry) => [stringOf(entry.value.id), entry]));
  return branchTo(leaf, byId, ({ value }) => (typeof value.parentId === 'string' ? value.parentId : null));
}

/** The messages of an entry, or why it has none. */
function draftsOf(entry: Fields): readonly Draft[] | string {
  switch (entry.type) {
    case 'message':
      return messageDrafts(fieldsOf(entry.message));
    case 'branch_summary':
      return [{ role: 'user', kind: 'summary', parts: textParts(stringOf(entry.summary)) }];
    case 'custom_message':
      return [{ role: 'user', parts: textParts(contentText(entry.content)) }];
    case 'compaction':
      return 'a summary: the messages it stands for are imported themselves';
    default:
      return `${stringOf(entry.type) || 'an entry without a type'}: no message`;
  }
}

function messageDrafts(message: Fields): readonly Draft[] | string {
  switch (message.role) {
    case 'user':
    case 'custom':
    case 'hookMessage':
      return [{ role: 'user', parts: textParts(contentText(message.content)) }];
    case 'assistant':
      return [{ role: 'assistant', parts: listOf(message.content).flatMap(assistantParts) }];
    case 'toolResult': {
      const name = stringOf(message.toolName) || 'unknown';
      return [resultDraft(message.toolCallId, name, contentText(message.content), message.isError === true)];
    }
    case 'bashExecution': {
      const text = `$ ${stringOf(message.command)}\n${stringOf(message.output)}`;
      return [{ role: 'user', parts: textParts(text) }];
    }
    default:
      return `a message of role ${JSON.stringify(message.role)}`;
  }
}

function assistantParts(block: Fields) {
  switch (block.type) {
    case 'thinking':
      return reasoningParts(stringOf(block.thinking));
    case 'toolCall':
      return [callPart(block.id, block.name, block.arguments)];
    default:
      return textParts(contentText([block]));
  }
}
