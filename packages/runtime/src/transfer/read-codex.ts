/** A rollout file of Codex: its response items as messages, what was rolled back left out. */
import type { Part } from '@astroresearch/core';
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
import { type Fields, isObject, readJsonLines } from './json-lines.ts';
import type { ReadConversation, SkippedLine } from './transfer-types.ts';

/** What the program puts before a person's words is no message of a person. */
const INJECTED =
  /^\s*(<(environment_context|user_instructions|permissions instructions|turn_aborted|skill)\b|# AGENTS\.md instructions)/;

export function readCodex(text: string): ReadConversation {
  const read = readJsonLines(text);
  if (read.kind === 'unreadable') return read;
  const intake = new Intake();
  for (const { line, value } of read.lines) intake.take(line, value);
  return { kind: 'conversation', title: null, ...intake.end() };
}

class Intake {
  #messages: Draft[] = [];
  readonly #skipped: SkippedLine[] = [];
  readonly #names = new Map<string, string>();
  /** Of the answer that is being put together: thoughts, words and calls are items of their own. */
  #parts: Part[] = [];

  take(line: number, { type, payload, ...bare }: Fields): void {
    if (type === 'response_item') this.#takeItem(line, fieldsOf(payload));
    else if (type === 'event_msg') {
      const event = fieldsOf(payload);
      if (event.type === 'thread_rolled_back') this.#rollBack(line, event.num_turns);
    } else if (type === 'compacted')
      this.#skip(line, 'a summary: the messages it stands for are imported themselves');
    // The first versions wrote the items themselves, below a first line without a type.
    else if (type !== 'session_meta' && type !== 'turn_context' && type !== undefined)
      this.#takeItem(line, { type, ...bare });
  }

  end(): { readonly messages: readonly Draft[]; readonly skipped: readonly SkippedLine[] } {
    this.#closeAnswer();
    return { messages: this.#messages, skipped: this.#skipped };
  }

  #takeItem(line: number, item: Fields): void {
    switch (item.type) {
      case 'message':
        this.#takeMessage(line, item);
        break;
      case 'reasoning': {
        const told = [...listOf(item.summary), ...listOf(item.content)].map((part) => stringOf(part.text));
        if (told.length === 0) this.#skip(line, 'reasoning that only its provider can read');
        else this.#add(...reasoningParts(told.join('\n')));
        break;
      }
      case 'function_call':
        this.#call(item.call_id, item.name, item.arguments);
        break;
      case 'custom_tool_call':
        this.#call(item.call_id, item.name, { input: item.input });
        break;
      case 'local_shell_call':
        this.#call(item.call_id ?? item.id, 'local_shell', item.action);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#takeOutput(item);
        break;
      default:
        this.#skip(line, `${stringOf(item.type) || 'an item without a type'}: no message`);
    }
  }

  #takeOutput({ call_id: id, output }: Fields): void {
    this.#closeAnswer();
    const content = isObject(output) ? (output.content ?? output.output ?? output) : output;
    const text = isObject(content) ? JSON.stringify(content) : contentText(content);
    const isError = isObject(output) && output.success === false;
    this.#messages.push(resultDraft(id, this.#names.get(stringOf(id)) ?? 'unknown', text, isError));
  }

  #takeMessage(line: number, { role, content }: Fields): void {
    const text = contentText(content);
    if (role === 'assistant') this.#add(...textParts(text));
    else if (role !== 'user') this.#skip(line, `instructions of the other program (${stringOf(role)})`);
    else if (INJECTED.test(text)) this.#skip(line, 'context that the other program added');
    else {
      this.#closeAnswer();
      this.#messages.push({ role: 'user', parts: textParts(text) });
    }
  }

  #call(id: unknown, name: unknown, given: unknown): void {
    this.#names.set(stringOf(id), stringOf(name));
    this.#add(callPart(id, name, given));
  }

  #add(...parts: readonly Part[]): void {
    this.#parts.push(...parts);
  }

  #closeAnswer(): void {
    if (this.#parts.length > 0) this.#messages.push({ role: 'assistant', parts: this.#parts });
    this.#parts = [];
  }

  #rollBack(line: number, turns: unknown): void {
    this.#closeAnswer();
    for (let left = typeof turns === 'number' ? turns : 0; left > 0; left--) {
      const from = this.#messages.findLastIndex(({ role }) => role === 'user');
      if (from === -1) break;
      this.#skip(line, `took back a turn of ${this.#messages.length - from} messages`);
      this.#messages = this.#messages.slice(0, from);
    }
  }

  #skip(line: number, reason: string): void {
    this.#skipped.push({ line, reason });
  }
}
