/** Where a path inside the workspace really leads, links followed; refuses what ends up outside of it (T6). */
import { lstat, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { errorCode } from '../files/error-code.ts';
import { outsideError } from './workspace-errors.ts';

export type RealParts = {
  /** Below the root, link-free, up to the deepest part that exists. */
  readonly existing: readonly string[];
  /** What does not exist yet, in order. */
  readonly missing: readonly string[];
};

/** `root`: absolute, link-free. Throws `ToolError` where a link leaves the root or leads nowhere. */
export async function realParts(root: string, parts: readonly string[]): Promise<RealParts> {
  for (let count = parts.length; count > 0; count--) {
    const candidate = join(root, ...parts.slice(0, count));
    const real = await realPathOf(candidate, parts.join('/'));
    if (real === null) continue;
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw outsideError(parts.join('/'));
    }
    return {
      existing: relative(root, real)
        .split(sep)
        .filter((part) => part !== ''),
      missing: parts.slice(count),
    };
  }
  return { existing: [], missing: parts };
}

/** Null: nothing is there. A link whose target is missing is refused: what it would make may lie anywhere. */
async function realPathOf(path: string, shown: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  try {
    await lstat(path);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
  throw outsideError(shown);
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
}
