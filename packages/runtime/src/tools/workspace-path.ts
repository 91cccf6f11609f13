/** What a path from a model means inside the workspace, by its letters alone; links are looked at later (T6). */
import type { Bilingual } from '@astroresearch/core';
import { ToolError } from './tool.ts';

/**
 * The parts below the root; none for the root itself. Both kinds of slash separate. An absolute path is welcome
 * where it begins with one of `roots` (absolute, in the system's own form). Throws `ToolError` for what leaves.
 */
export function workspaceParts(path: string, roots: readonly string[]): readonly string[] {
  if (path.includes('\0')) throw new ToolError(withPath(NUL_IN_PATH, path));
  const wanted = path.replaceAll('\\', '/');
  const relative = isAbsolute(wanted) ? belowRoot(wanted, roots) : wanted;
  if (relative === null) throw new ToolError(withPath(OUTSIDE, path));
  const parts: string[] = [];
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) throw new ToolError(withPath(OUTSIDE, path));
  }
  return parts;
}

/** `C:` counts everywhere: nobody means a folder of that name. */
function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path);
}

function belowRoot(path: string, roots: readonly string[]): string | null {
  for (const root of roots) {
    const prefix = root.replaceAll('\\', '/').replace(/\/*$/, '/');
    if (`${path}/`.startsWith(prefix)) return path.slice(prefix.length);
  }
  return null;
}

export const OUTSIDE: Bilingual = {
  zh: '路径 {path} 在工作区之外。请使用相对于工作区的路径；list_files 会列出其中的内容。',
  en: 'The path {path} is outside the workspace. Use a path relative to the workspace; list_files shows what is in it.',
};

const NUL_IN_PATH: Bilingual = {
  zh: '路径 {path} 含有 NUL 字符。',
  en: 'The path {path} holds a NUL character.',
};

/** `text` with `{path}` replaced by the path, quoted and shortened. */
export function withPath(text: Bilingual, path: string): Bilingual {
  const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
  return { zh: text.zh.replace('{path}', () => shown), en: text.en.replace('{path}', () => shown) };
}
