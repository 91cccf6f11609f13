/** The original text of a stored message: what it says and calls; of a result that was cut, the whole output. */
import { type Message, type Part, type ToolCallPart, textOf, toolCallsOf } from '@astroresearch/core';
import type { OutputStore } from '../outputs/output-store.ts';
import { countCharacters, offsetOf } from '../tools/output.ts';

/** Why the whole output is not there any more; the text is then the stored one, which is cut. */
export type OriginalFault = 'damaged' | 'missing';

export type OriginalPage = {
  readonly text: string;
  /** Characters (code points) of the original. */
  readonly totalChars: number;
  readonly fault?: OriginalFault;
};

/** The stored text, calls included. */
export function storedText(message: Message): string {
  return textWithCalls(message, (_, line) => line);
}

/** As long as the stored text, with blanks where a call of `tool` stands: what a search may find. */
export function searchedText(message: Message, tool: string): string {
  return textWithCalls(message, ({ name }, line) => (name === tool ? ' '.repeat(line.length) : line));
}

function textWithCalls(message: Message, show: (call: ToolCallPart, line: string) => string): string {
  const text = textOf(message);
  if (message.role !== 'assistant') return text;
  const lines = toolCallsOf(message).map((call) => show(call, `[${call.name} ${call.arguments}]`));
  return (text === '' ? lines : [text, ...lines]).join('\n');
}

/** `limitChars` characters from `offsetChars` on; past the end the text is empty. */
export async function readOriginal(
  message: Message,
  outputs: OutputStore,
  offsetChars: number,
  limitChars: number,
): Promise<OriginalPage> {
  if (message.role !== 'tool' || message.fullOutput === undefined) {
    return pageOf(storedText(message), offsetChars, limitChars);
  }
  const page = await outputs.read(message.fullOutput.sha256, offsetChars, limitChars);
  switch (page.kind) {
    case 'page':
      return { text: page.text, totalChars: page.totalChars };
    case 'damaged':
    case 'missing':
      return { ...pageOf(storedText(message), offsetChars, limitChars), fault: page.kind };
    default:
      return page satisfies never;
  }
}

/** The name of the tool that a result came from. */
export function toolNameOf(message: Message): string | undefined {
  const [part] = message.parts as readonly Part[];
  return part?.type === 'tool-result' ? part.name : undefined;
}

function pageOf(text: string, offsetChars: number, limitChars: number): OriginalPage {
  const rest = text.slice(offsetOf(text, offsetChars));
  return { text: rest.slice(0, offsetOf(rest, limitChars)), totalChars: countCharacters(text) };
}
