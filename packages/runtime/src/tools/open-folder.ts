/**
 * A folder below the workspace root, held open so that what is done in it cannot be led elsewhere (T6).
 * Every part is opened relative to the one above it and never through a link, so swapping a link in between two
 * steps gains nothing. Where the system shows no `/proc/self/fd`, the path is checked before and after instead.
 */
import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../files/error-code.ts';
import { ToolError } from './tool.ts';
import { OUTSIDE, withPath } from './workspace-path.ts';

export type OpenFolder = {
  /** Names the folder for `node:fs` as long as it is open. */
  readonly path: string;
  /** Throws where the folder is no longer the one that was opened. */
  check(): Promise<void>;
  close(): Promise<void>;
};

export type FolderOptions = {
  /** Absolute, without links. */
  readonly root: string;
  /** Make what is missing. */
  readonly create: boolean;
  /** `/proc/self/fd`, or null where the system has none. */
  readonly descriptors: string | null;
};

/** Where open files can be named by their descriptor; null: nowhere on this system. */
const DESCRIPTORS = '/proc/self/fd';

const OPEN_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** `parts` hold no `..` and no `.`. Rejects as `node:fs` does; `ELOOP` or `ENOTDIR` where a part is a link. */
export async function openFolder(parts: readonly string[], options: FolderOptions): Promise<OpenFolder> {
  return options.descriptors === null
    ? openByPath(parts, options)
    : openByDescriptor(parts, options, options.descriptors);
}

async function openByDescriptor(
  parts: readonly string[],
  { root, create }: FolderOptions,
  descriptors: string,
): Promise<OpenFolder> {
  let handle = await open(root, OPEN_FOLDER);
  try {
    for (const part of parts) {
      const path = join(descriptors, String(handle.fd), part);
      const next = await openOrMake(path, create, () => open(path, OPEN_FOLDER));
      await handle.close();
      handle = next;
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    path: join(descriptors, String(handle.fd)),
    check: async () => {},
    close: () => handle.close(),
  };
}

async function openByPath(parts: readonly string[], { root, create }: FolderOptions): Promise<OpenFolder> {
  let path = root;
  for (const part of parts) {
    path = join(path, part);
    const current = path;
    const { isFolder } = await openOrMake(current, create, async () => {
      return { isFolder: (await lstat(current)).isDirectory() };
    });
    if (!isFolder) throw Object.assign(new Error(`not a folder: ${part}`), { code: 'ENOTDIR' });
  }
  const check = async () => {
    if ((await realpath(path)) !== path) throw new ToolError(withPath(OUTSIDE, parts.join('/')));
  };
  await check();
  return { path, check, close: async () => {} };
}

async function openOrMake<Opened>(
  path: string,
  create: boolean,
  openIt: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await openIt();
  } catch (error) {
    if (!create || errorCode(error) !== 'ENOENT') throw error;
  }
  await mkdir(path).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  return openIt();
}

/** `DESCRIPTORS` where this system has it and it names an open folder truly, else null. */
export async function findDescriptors(root: string): Promise<string | null> {
  const handle = await open(root, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    return (await readlink(join(DESCRIPTORS, String(handle.fd)))) === root ? DESCRIPTORS : null;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
