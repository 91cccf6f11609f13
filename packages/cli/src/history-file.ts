/** A file of recorded messages, read and repaired: what `compact` and `replay` begin with. */
import { readFile } from 'node:fs/promises';
import {
  chooseLanguage,
  countMessage,
  isFromPerson,
  type Language,
  type LanguageSetting,
  type Message,
  type ParsedTrajectory,
  type Part,
  parseTrajectory,
  type Repair,
  repairHistory,
  repairTexts,
  type TokenCounter,
  textOf,
} from '@astroresearch/core';

export type HistoryFile = {
  /** A valid history, numbered m1, m2 … */
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
  readonly sources: Extract<ParsedTrajectory, { kind: 'parsed' }>['sources'];
  readonly language: Language;
  /** Messages in the file. */
  readonly recorded: number;
};

/** `fault`: one line, with the number of the line in the file where there is one. */
export async function readHistoryFile(
  file: string,
  setting: LanguageSetting,
  count: TokenCounter,
): Promise<HistoryFile | { readonly fault: string }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { fault: `${file}: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = parseTrajectory(text, count);
  if (parsed.kind === 'unreadable') return { fault: `${file}:${parsed.line}: ${parsed.reason}` };
  const first = parsed.messages.find(isFromPerson);
  const language = chooseLanguage(setting, first === undefined ? '' : textOf(first));
  const weigh = (parts: readonly Part[]) => countMessage(parts as Message['parts'], count);
  const repaired = repairHistory(parsed.messages, repairTexts(language), weigh);
  return { ...repaired, sources: parsed.sources, language, recorded: parsed.messages.length };
}
