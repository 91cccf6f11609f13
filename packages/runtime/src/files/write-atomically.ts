/** Files that appear whole or not at all: temporary file, fsync, rename (reliability.md I26, CP26, CP29). */
import { constants, copyFile, link, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ids } from '../ports.ts';
import { errorCode } from './error-code.ts';

export type AtomicFile = {
  /** Exists already. */
  readonly folder: string;
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Permission bits of the file, less what the process's umask forbids. */
  readonly mode: number;
};

const TEMPORARY_NAME = /^\.\S+\.tmp$/;
/** No write takes that long: an older temporary file was left by a process that died. */
const STRAY_AGE_MS = 3_600_000;

/** Makes or replaces the file; whoever reads meanwhile sees the old content or the new. Rejects as `node:fs` does. */
export async function writeAtomically(file: AtomicFile, ids: Ids): Promise<void> {
  const target = join(file.folder, file.name);
  await withTemporary(file, ids, (temporary) => rename(temporary, target));
}

/** Makes the file; false where one of that name exists already, also if another process made it a moment ago. */
export async function createAtomically(file: AtomicFile, ids: Ids): Promise<boolean> {
  const target = join(file.folder, file.name);
  return withTemporary(file, ids, async (temporary) => {
    try {
      await linkOrCopy(temporary, target);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await unlink(temporary);
    }
  });
}

/** A hard link is the one way to give a finished file a name that must be free; some file systems have none. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

/** Removes what writers that died have left in `folder`. */
export async function removeStrayTemporaries(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!TEMPORARY_NAME.test(name)) continue;
    const path = join(folder, name);
    try {
      const { mtimeMs } = await stat(path);
      if (nowMs - mtimeMs > STRAY_AGE_MS) await unlink(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

async function withTemporary<Result>(
  { folder, content, mode }: AtomicFile,
  ids: Ids,
  publish: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const temporary = join(folder, `.${ids()}.tmp`);
  const handle = await open(temporary, 'wx', mode);
  try {
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const result = await publish(temporary);
    await syncFolder(folder);
    return result;
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

/** Makes the new name itself durable. Where folders cannot be synced, the rename is all there is. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(errorCode(error) ?? '')) throw error;
  }
}
