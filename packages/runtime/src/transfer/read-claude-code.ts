/** A session file of Claude Code: its active branch as messages, side chains left out. */
import type { Part } from '@astroresearch/core';
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

export function readClaudeCode(text: string): ReadConversation {
  const read = readJsonLines(text);
  if (read.kind === 'unreadable') return read;
  const branch = activeBranch(read.lines);
  const intake = new Intake();
  let title: string | null = null;
  for (const entry of read.lines) {
    const { line, value } = entry;
    if (value.type === 'summary' && typeof value.summary === 'string') title = value.summary;
    else if (value.type !== 'user' && value.type !== 'assistant')
      intake.skip(line, `${stringOf(value.type) || 'a line without a type'}: no message`);
    else if (value.isSidechain === true) intake.skip(line, 'of a side chain');
    else if (value.isMeta === true) intake.skip(line, 'context that the other program added');
    else if (value.isCompactSummary === true)
      intake.skip(line, 'a summary: the messages it stands for are imported themselves');
    else if (!branch.has(entry)) intake.skip(line, 'on a branch that was left');
    else intake.take(value);
  }
  return { kind: 'conversation', title, messages: intake.end(), skipped: intake.skipped };
}

/**
 * One answer is several lines, and results of calls that ran at the same time hang on different ones of them: with the
 * branch go the other lines of its answers, and the results of their calls.
 */
function activeBranch(lines: readonly JsonLine[]): ReadonlySet<JsonLine> {
  const isMain = ({ value }: JsonLine) => value.isSidechain !== true && typeof value.uuid === 'string';
  const leaf = lines.findLast(
    (entry) => isMain(entry) && (entry.value.type === 'user' || entry.value.type === 'assistant'),
  );
  if (leaf === undefined) return new Set(lines);
  const byId = new Map(lines.filter(isMain).map((entry) => [stringOf(entry.value.uuid), entry]));
  const branch = new Set(
    branchTo(leaf, byId, ({ value }) => {
      // A compaction begins a new root, and names what it followed.
      const parent = value.parentUuid ?? value.logicalParentUuid;
      return typeof parent === 'string' ? parent : null;
    }),
  );
  const answers = new Set([...branch].map(answerId).filter((id) => id !== ''));
  for (const entry of lines) if (answers.has(answerId(entry))) branch.add(entry);
  const calls = new Set(
    [...branch].flatMap(({ value }) =>
      blocksOf(value).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
    ),
  );
  for (const entry of lines) {
    const blocks = blocksOf(entry.value);
    const isResults =
      blocks.length > 0 &&
      blocks.every(({ type, tool_use_id: id }) => type === 'tool_result' && calls.has(id));
    if (isResults && isMain(entry)) branch.add(entry);
  }
  return branch;
}

function answerId({ value }: JsonLine): string {
  return value.type === 'assistant' ? stringOf(fieldsOf(value.message).id) : '';
}

function blocksOf(value: Fields): readonly Fields[] {
  return listOf(fieldsOf(value.message).content);
}

class Intake {
  readonly skipped: SkippedLine[] = [];
  readonly #messages: Draft[] = [];
  readonly #names = new Map<string, string>();
  /** Of each answer, by its id: lines of it may stand behind the first results. */
  readonly #answers = new Map<string, Part[]>();

  skip(line: number, reason: string): void {
    this.skipped.push({ line, reason });
  }

  take({ type, message: given }: Fields): void {
    const message = fieldsOf(given);
    if (type === 'assistant') this.#takeAnswer(message);
    else this.#takeUser(message.content);
  }

  end(): readonly Draft[] {
    return this.#messages;
  }

  #takeAnswer(message: Fields): void {
    const id = stringOf(message.id);
    let parts = id === '' ? undefined : this.#answers.get(id);
    if (parts === undefined) {
      parts = [];
      this.#messages.push({ role: 'assistant', parts });
      if (id !== '') this.#answers.set(id, parts);
    }
    if (typeof message.content === 'string') parts.push(...textParts(message.content));
    for (const block of listOf(message.content)) parts.push(...this.#answerParts(block));
  }

  #answerParts(block: Fields): readonly Part[] {
    switch (block.type) {
      case 'thinking':
        return reasoningParts(stringOf(block.thinking));
      case 'redacted_thinking':
        return [];
      case 'tool_use':
        this.#names.set(stringOf(block.id), stringOf(block.name));
        return [callPart(block.id, block.name, block.input)];
      default:
        return textParts(contentText([block]));
    }
  }

  /** Results are blocks of a user's message: they come first, what a person wrote beside them behind. */
  #takeUser(content: unknown): void {
    const said: Fields[] = [];
    for (const block of listOf(content)) {
      if (block.type !== 'tool_result') said.push(block);
      else {
        const name = this.#names.get(stringOf(block.tool_use_id)) ?? 'unknown';
        this.#messages.push(
          resultDraft(block.tool_use_id, name, contentText(block.content), block.is_error === true),
        );
      }
    }
    const text = typeof content === 'string' ? content : contentText(said);
    if (text !== '') this.#messages.push({ role: 'user', parts: textParts(text) });
  }
}
