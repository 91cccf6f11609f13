/** Brings files back that a compaction took out of sight: read again from disk, in one message (context.md 6). */
import {
  type AgentState,
  type Compaction,
  type CompactionLimits,
  type FileFact,
  fileSnapshot,
  filesToRestore,
  isShownWhole,
  type Language,
  openTasks,
  type ReadAgain,
  reminderText,
  restoreBlock,
  restoreRoomTokens,
  type UserMessage,
} from '@astroresearch/core';
import { MAX_FILE_BYTES } from '../builtin/read-file.ts';
import { readableContent } from '../tools/binary-content.ts';
import { fileFact } from '../tools/file-fact.ts';
import { userMessage } from './new-message.ts';
import type { CompactParts } from './turn-parts.ts';

export type RestoredFiles = { readonly message: UserMessage; readonly files: readonly FileFact[] };

/** Null: nothing has to come back, nothing can be read, or there is no room. A file that cannot be read stays away. */
export async function restoreFiles(
  compaction: Compaction,
  { files }: AgentState,
  place: { readonly turnIndex: number; readonly step: number; readonly language: Language },
  limits: CompactionLimits,
  parts: CompactParts,
): Promise<RestoredFiles | null> {
  const roomTokens = restoreRoomTokens(compaction, limits);
  if (roomTokens === 0) return null;
  const chosen = filesToRestore(
    fileSnapshot(files),
    openTasks(parts.log.state.tasks).map((task) => task.content),
    (id) => isShownWhole(compaction.messages, id),
  );
  const again: ReadAgain[] = [];
  for (const file of chosen) {
    const content = await readAgain(file.path, place.language, parts);
    if (content !== null)
      again.push({ file, content, hash: fileFact(file.path, content, 'read', true).hash });
  }
  const block = restoreBlock(again, roomTokens, parts.countTokens, place.language);
  if (block === null) return null;
  const shown = block.files.flatMap(({ path, whole }): readonly FileFact[] => {
    const read = again.find(({ file }) => file.path === path);
    return read === undefined ? [] : [fileFact(path, read.content, 'read', whole)];
  });
  return { message: userMessage(parts, place, reminderText(block.text), 'restored_file'), files: shown };
}

async function readAgain(path: string, language: Language, parts: CompactParts): Promise<string | null> {
  try {
    const content = readableContent(await parts.files.read(path, MAX_FILE_BYTES), language);
    return content.kind === 'text' && content.text !== '' ? content.text : null;
  } catch {
    return null; // gone, or out of reach by now: nothing is promised about it
  }
}
