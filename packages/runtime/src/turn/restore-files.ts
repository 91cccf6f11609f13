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
  type ReadAgain,
  reminderText,
  restoreBlock,
  textHash,
  type UserMessage,
} from '@astroresearch/core';
import { readableContent } from '../tools/binary-content.ts';
import { userMessage } from './new-message.ts';
import type { CompactParts } from './turn-parts.ts';

export type RestoredFiles = { readonly message: UserMessage; readonly files: readonly FileFact[] };

/** Of what a compaction gains, so much must be left when the files are back, as a share of what there was. */
const MIN_GAIN_SHARE = 0.05;
/** The most that the block may take of what was freed. */
const BLOCK_SHARE = 0.25;
const MAX_FILE_BYTES = 1_000_000;

/** Null: nothing has to come back, nothing can be read, or too little was freed. A file that cannot be read stays away. */
export async function restoreFiles(
  compaction: Compaction,
  { files }: AgentState,
  place: { readonly turnIndex: number; readonly step: number; readonly language: Language },
  limits: CompactionLimits,
  parts: CompactParts,
): Promise<RestoredFiles | null> {
  const freedTokens = (compaction.tokensBefore - compaction.tokensAfter) / limits.scale;
  if (compaction.edits.length === 0) return null;
  if (freedTokens * (1 - BLOCK_SHARE) < (compaction.tokensBefore / limits.scale) * MIN_GAIN_SHARE)
    return null;
  const openTasks = parts.log.state.tasks.flatMap(({ status, content }) =>
    status === 'completed' ? [] : [content],
  );
  const chosen = filesToRestore(fileSnapshot(files), openTasks, (id) =>
    isShownWhole(compaction.messages, id),
  );
  const again: ReadAgain[] = [];
  for (const file of chosen) {
    const content = await readAgain(file.path, place.language, parts);
    if (content !== null) again.push({ file, content, hash: textHash(content) });
  }
  const block = restoreBlock(again, freedTokens, parts.countTokens, place.language);
  if (block === null) return null;
  const facts = block.files.flatMap(({ path, whole }): readonly FileFact[] => {
    const read = again.find(({ file }) => file.path === path);
    if (read === undefined) return [];
    const { content, hash } = read;
    return [
      {
        path,
        hash,
        bytes: Buffer.byteLength(content, 'utf8'),
        chars: [...content].length,
        did: 'read',
        whole,
      },
    ];
  });
  return { message: userMessage(parts, place, reminderText(block.text), 'restored_file'), files: facts };
}

async function readAgain(path: string, language: Language, parts: CompactParts): Promise<string | null> {
  try {
    const content = readableContent(await parts.files.read(path, MAX_FILE_BYTES), language);
    return content.kind === 'text' && content.text !== '' ? content.text : null;
  } catch {
    return null; // gone, or out of reach by now: nothing is promised about it
  }
}
