/** Which files an agent has read or written, and where their content stands in its view (context.md 6). A pure value. */
import type { MessageId } from '../message/message.ts';

export type CachedFile = {
  readonly path: string;
  /** Of the whole content on disk; any function, the same for all files. */
  readonly hash: string;
  /** Size of the whole content in UTF-8; what the cache's limit counts. */
  readonly bytes: number;
  readonly readAtMs: number;
  /** The message whose text shows it: a result, a restore block, a call that wrote it. Null: none does. */
  readonly shownBy: MessageId | null;
  /** That message shows all of it, not some lines or a head and tail. */
  readonly whole: boolean;
  /** This agent wrote it. Stays until the entry goes. */
  readonly edited: boolean;
};

/** What a tool did with a file, as the log keeps it. */
export type FileFact = {
  readonly path: string;
  /** Of the whole content on disk. */
  readonly hash: string;
  /** UTF-8. */
  readonly bytes: number;
  readonly did: 'read' | 'wrote';
  /** The message shows all of it. */
  readonly whole: boolean;
};

/** One an agent: what one agent was shown says nothing about another. */
export type FileCache = {
  /** The most recently used first. */
  readonly entries: readonly CachedFile[];
  /** Sum over the entries. */
  readonly bytes: number;
};

export const EMPTY_FILE_CACHE: FileCache = { entries: [], bytes: 0 };

const MAX_ENTRIES = 100;
const MAX_CONTENT_BYTES = 25 * 1024 * 1024;

export function findFile(cache: FileCache, path: string): CachedFile | undefined {
  return cache.entries.find((entry) => entry.path === path);
}

/**
 * A file was read, or came back in a restore block. Some lines of a file that was shown whole before and has not
 * changed leave it shown whole: where, stays known. The least recently used entries make room; a file larger than
 * the whole cache is not kept.
 */
export function rememberRead(cache: FileCache, file: Omit<CachedFile, 'edited'>): FileCache {
  const before = findFile(cache, file.path);
  const keepsPlace = before?.whole === true && !file.whole && before.hash === file.hash;
  return put(cache, {
    ...file,
    ...(keepsPlace ? { shownBy: before.shownBy, whole: true } : {}),
    edited: before?.edited ?? false,
  });
}

/**
 * The agent wrote a file. `shownBy`: the message with the call that wrote it, whose arguments hold the content. The
 * next read is shown in full: the stub promises a result.
 */
export function rememberWrite(cache: FileCache, file: Omit<CachedFile, 'edited' | 'whole'>): FileCache {
  return put(cache, { ...file, whole: false, edited: true });
}

/** A tool read or wrote a file; `message` shows what was read, or holds the call that wrote. */
export function noteFile(cache: FileCache, fact: FileFact, message: MessageId, atMs: number): FileCache {
  const { did, whole, ...file } = fact;
  const entry = { ...file, readAtMs: atMs, shownBy: message };
  return did === 'wrote' ? rememberWrite(cache, entry) : rememberRead(cache, { ...entry, whole });
}

/** A read was answered with the stub: the entry counts as used, what shows it stays. */
export function touchFile(cache: FileCache, path: string, readAtMs: number): FileCache {
  const entry = findFile(cache, path);
  return entry === undefined ? cache : put(cache, { ...entry, readAtMs });
}

/**
 * True: the stub may stand for a second read. Only while the *whole* content, as it is on disk now (`hash`), is
 * still visible in *this agent's* view. The time of change plays no part: it can stay while the content changes,
 * and change while the content stays. `visibleWhole`: that message is in the view, unaltered.
 */
export function isUnchangedAndVisible(
  entry: CachedFile | undefined,
  hash: string,
  visibleWhole: (message: MessageId) => boolean,
): boolean {
  if (entry === undefined || !entry.whole || entry.shownBy === null) return false;
  return entry.hash === hash && visibleWhole(entry.shownBy);
}

/** All that is known before a compaction, the newest first. The cache itself then begins at `EMPTY_FILE_CACHE`. */
export function fileSnapshot(cache: FileCache): readonly CachedFile[] {
  return cache.entries;
}

/** One message that shows files again. */
export type ShownAgain = { readonly message: MessageId; readonly files: readonly FileFact[] };

/**
 * The cache after a compaction: the files that came back in a block, and those whose message the compaction left as
 * it was. All others are forgotten. Nothing counts as used for that: the order stays.
 */
export function restoreCache(
  files: readonly CachedFile[],
  restored: ShownAgain | null,
  isVisible: (message: MessageId) => boolean,
): FileCache {
  const kept = files.flatMap((file): readonly CachedFile[] => {
    const back = restored?.files.find(({ path }) => path === file.path);
    if (restored !== null && back !== undefined) {
      const { hash, bytes, whole } = back;
      return [{ ...file, hash, bytes, whole, shownBy: restored.message }];
    }
    return file.shownBy !== null && isVisible(file.shownBy) ? [file] : [];
  });
  return bounded(kept);
}

function put(cache: FileCache, file: CachedFile): FileCache {
  return bounded([file, ...cache.entries.filter((entry) => entry.path !== file.path)]);
}

/** The least recently used make room; what is larger than the whole cache is not kept. */
function bounded(files: readonly CachedFile[]): FileCache {
  const entries = files.filter(({ bytes }) => bytes <= MAX_CONTENT_BYTES).slice(0, MAX_ENTRIES);
  let bytes = sumBytes(entries);
  while (bytes > MAX_CONTENT_BYTES) bytes -= entries.pop()?.bytes ?? 0;
  return { entries, bytes };
}

function sumBytes(entries: readonly CachedFile[]): number {
  return entries.reduce((sum, entry) => sum + entry.bytes, 0);
}
