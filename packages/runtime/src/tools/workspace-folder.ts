/** The workspace on a real disk: nothing outside its root is ever read or written (reliability.md T6). */
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode } from '../files/error-code.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Ids } from '../ports.ts';
import { findDescriptors, type OpenFolder, openFolder } from './open-folder.ts';
import { type RealParts, realParts } from './real-parts.ts';
import {
  hardLinkError,
  notRegularError,
  outsideError,
  tooLargeError,
  workspaceError,
} from './workspace-errors.ts';
import type { WorkspaceEntry, WorkspaceFiles } from './workspace-files.ts';
import { workspaceParts } from './workspace-path.ts';

/** A read never blocks on a pipe and never follows a link that was put there after the check. */
const OPEN_TO_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEW_FILE_MODE = 0o644;

/**
 * Makes the root where it is missing; rejects as `node:fs` does where that fails. `ids` names temporary files.
 * A file that a write replaces keeps its permission bits; links inside the root are followed, `list` shows them as
 * `other` and goes around them.
 */
export async function openWorkspace(rootFolder: string, ids: Ids): Promise<WorkspaceFiles> {
  await mkdir(rootFolder, { recursive: true });
  const root = await realpath(rootFolder);
  const roots = [root, resolve(rootFolder)];
  const descriptors = await findDescriptors(root);

  async function within<Result>(
    parts: readonly string[],
    create: boolean,
    use: (folder: OpenFolder) => Promise<Result>,
  ): Promise<Result> {
    const folder = await openFolder(parts, { root, create, descriptors });
    try {
      return await use(folder);
    } finally {
      await folder.close();
    }
  }

  async function at<Result>(path: string, use: (real: RealParts) => Promise<Result>): Promise<Result> {
    try {
      return await use(await realParts(root, workspaceParts(path, roots)));
    } catch (error) {
      throw workspaceError(error, path);
    }
  }

  return {
    read: (path, maxBytes) =>
      at(path, async ({ existing, missing }) => {
        if (missing.length > 0) throw systemError('ENOENT');
        const name = existing.at(-1);
        if (name === undefined) throw systemError('EISDIR');
        return within(existing.slice(0, -1), false, (folder) => readIn(folder, name, maxBytes, path));
      }),

    write: (path, content) =>
      at(path, async ({ existing, missing }) => {
        const parts = [...existing, ...missing];
        const name = parts.at(-1);
        if (name === undefined) throw systemError('EISDIR');
        return within(parts.slice(0, -1), true, (folder) => writeIn(folder, name, content, path, ids));
      }),

    list: (path, limit) =>
      at(path, async ({ existing, missing }) => {
        if (missing.length > 0) throw systemError('ENOENT');
        const name = existing.at(-1);
        if (name !== undefined) {
          const entry = await within(existing.slice(0, -1), false, (folder) =>
            entryIn(folder, name, existing),
          );
          if (entry.kind !== 'folder') return { entries: [entry], more: false };
        }
        const entries: WorkspaceEntry[] = [];
        const walk = async (children: readonly WorkspaceEntry[]): Promise<void> => {
          for (const child of children) {
            if (entries.length > limit) return;
            entries.push(child);
            if (child.kind === 'folder') await walk(await childrenAt(child.path.split('/')).catch(none));
          }
        };
        const childrenAt = (parts: readonly string[]) =>
          within(parts, false, (folder) => childrenIn(folder, parts, limit + 1 - entries.length));
        await walk(await childrenAt(existing));
        return { entries: entries.slice(0, limit), more: entries.length > limit };
      }),
  };
}

async function readIn(folder: OpenFolder, name: string, maxBytes: number, path: string): Promise<Uint8Array> {
  const target = join(folder.path, name);
  const before = await lstat(target);
  if (before.isDirectory()) throw systemError('EISDIR');
  if (!before.isFile()) throw notRegularError(path);
  const handle = await open(target, OPEN_TO_READ);
  try {
    const { size, ino, dev } = await handle.stat();
    if (ino !== before.ino || dev !== before.dev) throw outsideError(path);
    await folder.check();
    if (size > maxBytes) throw tooLargeError(path, size, maxBytes);
    const bytes = Buffer.alloc(Math.min(maxBytes, size) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) break;
    }
    if (length > maxBytes) throw tooLargeError(path, length, maxBytes);
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

async function writeIn(
  folder: OpenFolder,
  name: string,
  content: string,
  path: string,
  ids: Ids,
): Promise<{ readonly bytes: number; readonly created: boolean }> {
  const target = join(folder.path, name);
  const before = await lstat(target).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (before?.isDirectory()) throw systemError('EISDIR');
  if (before !== null && !before.isFile()) throw notRegularError(path);
  if (before !== null && before.nlink > 1) throw hardLinkError(path);
  const bytes = Buffer.from(content, 'utf8');
  const mode = before === null ? NEW_FILE_MODE : before.mode & 0o777;
  await folder.check();
  await writeAtomically({ folder: folder.path, name, content: bytes, mode }, ids);
  return { bytes: bytes.length, created: before === null };
}

/** At most `limit`, by name. */
async function childrenIn(
  folder: OpenFolder,
  parts: readonly string[],
  limit: number,
): Promise<readonly WorkspaceEntry[]> {
  const names = (await readdir(folder.path)).sort();
  await folder.check();
  return Promise.all(
    names.slice(0, Math.max(0, limit)).map((name) => entryIn(folder, name, [...parts, name])),
  );
}

/** A folder below the one asked for that vanished or may not be opened is listed as empty. */
function none(error: unknown): readonly WorkspaceEntry[] {
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return [];
  throw error;
}

/** A child that vanished meanwhile, or whose name is not UTF-8, is shown without its size. */
async function entryIn(folder: OpenFolder, name: string, parts: readonly string[]): Promise<WorkspaceEntry> {
  const path = parts.join('/');
  const stats = await lstat(join(folder.path, name)).catch(() => null);
  if (stats?.isFile()) return { path, kind: 'file', bytes: stats.size };
  return { path, kind: stats?.isDirectory() ? 'folder' : 'other', bytes: 0 };
}

function systemError(code: 'ENOENT' | 'EISDIR'): Error {
  return Object.assign(new Error(code), { code });
}
