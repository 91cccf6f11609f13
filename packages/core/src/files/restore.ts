/** Which files come back after a compaction, and the block of text that brings them back (context.md 6). */
import type { MessageId } from '../message/message.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import type { CachedFile } from './file-cache.ts';
import { restoredHeading, restoredMarker } from './texts.ts';

const MAX_FILES = 5;
/** Code points of one file, marker included. */
const MAX_CHARS = 4_000;
/** A head shorter than this tells nothing: the file is rather left out, code points. */
const MIN_CHARS = 200;
/** The frame that the prompt puts around the block, and the message itself, tokens. */
const FRAME_TOKENS = 24;

/**
 * At most 5 files that no visible message shows any more: those the agent edited first, then those named in an open
 * task, then the most recently used. `files`: the snapshot, newest first. `openTasks`: the texts of unfinished tasks.
 */
export function filesToRestore(
  files: readonly CachedFile[],
  openTasks: readonly string[],
  isVisible: (message: MessageId) => boolean,
): readonly CachedFile[] {
  const rank = (file: CachedFile) =>
    file.edited ? 0 : openTasks.some((task) => namesFile(task, file.path)) ? 1 : 2;
  return files
    .filter((file) => file.shownBy === null || !isVisible(file.shownBy))
    .map((file) => ({ file, rank: rank(file) }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MAX_FILES)
    .map(({ file }) => file);
}

/** The text names the path or the file's own name, not as a part of a longer name. */
function namesFile(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '') return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const startsName = !/[\w.-]$/.test(text.slice(Math.max(0, at - 1), at));
    const endsName = !/^(?:[\w-]|\.\w)/.test(text.slice(at + name.length, at + name.length + 2));
    if (startsName && endsName) return true;
  }
  return false;
}

/** A chosen file as it is on disk now. */
export type ReadAgain = { readonly file: CachedFile; readonly content: string; readonly hash: string };

export type RestoreBlock = {
  /** One section a file; goes into one appended message of the kind `restored_file`. */
  readonly text: string;
  readonly files: readonly {
    readonly path: string;
    /** The block shows all of it as it is on disk, so a stub may point to the block's message. */
    readonly whole: boolean;
    readonly changed: boolean;
  }[];
};

/**
 * The block for `files`, the most wanted first: the head of each, cut between code points with a marker, and no more
 * in all, its message included, than `roomTokens`. A file for which too little room is left is left out. Null: nothing
 * fits.
 */
export function restoreBlock(
  files: readonly ReadAgain[],
  roomTokens: number,
  countTokens: TokenCounter,
  language: 'zh' | 'en',
): RestoreBlock | null {
  const maxTokens = roomTokens - FRAME_TOKENS;
  const fits = (text: string) => countTokens(text) <= maxTokens;
  let text = '';
  const shown: RestoreBlock['files'][number][] = [];
  for (const again of files.slice(0, MAX_FILES)) {
    const path = again.file.path;
    const changed = again.hash !== again.file.hash;
    const lead = `${text}${text === '' ? '' : '\n\n'}${restoredHeading(path, changed, language)}\n`;
    const content = safeContent(again.content);
    const head = longestHead(content, (candidate) => fits(lead + candidate), language);
    if (head === null) continue;
    text = lead + head;
    shown.push({ path, whole: head === again.content, changed });
  }
  return shown.length === 0 ? null : { text, files: shown };
}

/** `content` itself, or as much of its beginning as is allowed and fits, with a marker; null: that is too little. */
function longestHead(content: string, fits: (text: string) => boolean, language: 'zh' | 'en'): string | null {
  const offsets = characterOffsets(content, MAX_CHARS);
  const isShort = offsets.length <= MAX_CHARS;
  if (isShort && fits(content)) return content;
  const total = isShort ? offsets.length : countCharacters(content);
  const cut = (chars: number) =>
    `${content.slice(0, offsets[chars] ?? content.length)}\n${restoredMarker(total - chars, language)}`;
  const markerChars = restoredMarker(total, language).length + 1;
  let tooMany = Math.min(offsets.length, MAX_CHARS - markerChars + 1);
  if (tooMany <= MIN_CHARS || !fits(cut(MIN_CHARS))) return null;
  let fitting = MIN_CHARS;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(cut(middle))) fitting = middle;
    else tooMany = middle;
  }
  return cut(fitting);
}

/** UTF-16 offsets at which the characters begin, of at most `limit` + 1 of them. */
function characterOffsets(text: string, limit: number): readonly number[] {
  const offsets: number[] = [];
  for (let offset = 0; offset < text.length && offsets.length <= limit; offset += widthAt(text, offset)) {
    offsets.push(offset);
  }
  return offsets;
}

function countCharacters(text: string): number {
  let count = 0;
  for (let offset = 0; offset < text.length; offset += widthAt(text, offset)) count++;
  return count;
}

function widthAt(text: string, offset: number): 1 | 2 {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/** A file cannot end the frame that the block stands in: what follows would read as the user's own words. */
function safeContent(content: string): string {
  return content.replaceAll(/<(?=\/system-reminder)/gi, '<\\').toWellFormed();
}
