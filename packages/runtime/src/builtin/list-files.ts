/** `list_files`: what is in the workspace, or the part of it that matches a pattern. */
import type { Language } from '@astroresearch/core';
import { z } from 'zod';
import { compileGlob, type Glob } from '../files/glob.ts';
import { defineTool, ToolError } from '../tools/tool.ts';
import type { WorkspaceEntry } from '../tools/workspace-files.ts';

/** Entries looked at; a larger tree is searched in part, and the result says so. */
const MAX_SEARCHED = 20_000;
const MAX_LISTED = 500;

export const listFilesTool = defineTool({
  name: 'list_files',
  summary: { zh: '列出工作区中的文件', en: 'List files in the workspace' },
  description: {
    zh: '列出工作区或其中一个文件夹的全部文件和子文件夹，含各层；文件夹以 / 结尾。pattern 按通配符筛选，例如 *.fits 或 data/**/*.csv。',
    en: 'Lists files and folders of the workspace, or of one folder in it, at all depths; folders end in /. pattern narrows it down by wildcards, for example *.fits or data/**/*.csv.',
  },
  input: z.object({
    path: z.string().optional().meta({
      description: 'Folder relative to the workspace; left out: all of it',
      zh: '相对于工作区的文件夹；省略则为整个工作区',
    }),
    pattern: z.string().min(1).optional().meta({
      description:
        'Wildcards on the path relative to the workspace: * ? [a-z] {a,b} and ** for any folders; without a / on the name alone',
      zh: '针对相对路径的通配符：* ? [a-z] {a,b}，** 表示任意层文件夹；不含 / 时只匹配名称',
    }),
  }),
  effect: 'read',
  async execute({ path = '', pattern }, { files, language }) {
    const matches = pattern === undefined ? () => true : globOf(pattern);
    const { entries, more } = await files.list(path, MAX_SEARCHED);
    const found = entries.filter((entry) => matches(entry.path));
    const lines = found.slice(0, MAX_LISTED).map((entry) => lineOf(entry, language));
    const notes = [
      ...(found.length === 0 ? [nothingText(pattern !== undefined, language)] : []),
      ...(found.length > MAX_LISTED ? [moreFoundText(found.length, language)] : []),
      ...(more ? [searchedInPartText(language)] : []),
    ];
    return { text: [...lines, ...notes].join('\n') };
  },
});

function globOf(pattern: string): Glob {
  const glob = compileGlob(pattern);
  if (glob === null) {
    throw new ToolError({
      zh: `pattern ${JSON.stringify(pattern)} 的 {} 组合过多，请拆成几次调用。`,
      en: `pattern ${JSON.stringify(pattern)} has too many {} combinations; use several calls.`,
    });
  }
  return glob;
}

/** A name that would break the line is shown as a JSON string. */
function lineOf({ path, kind, bytes }: WorkspaceEntry, language: Language): string {
  const shown = /[\p{Cc}\u2028\u2029]/u.test(path) ? JSON.stringify(path) : path;
  switch (kind) {
    case 'folder':
      return `${shown}/`;
    case 'file':
      return `${shown} (${bytes} ${{ zh: '字节', en: 'bytes' }[language]})`;
    case 'other':
      return `${shown} (${{ zh: '链接或特殊文件', en: 'link or special file' }[language]})`;
    default:
      return kind satisfies never;
  }
}

function nothingText(withPattern: boolean, language: Language): string {
  if (withPattern) return { zh: '（没有匹配的文件）', en: '(no file matches)' }[language];
  return { zh: '（空文件夹）', en: '(empty folder)' }[language];
}

function moreFoundText(count: number, language: Language): string {
  return {
    zh: `[共 ${count} 项，只列出前 ${MAX_LISTED} 项；请用 path 或 pattern 缩小范围]`,
    en: `[${count} in all, the first ${MAX_LISTED} listed; narrow it down with path or pattern]`,
  }[language];
}

function searchedInPartText(language: Language): string {
  return {
    zh: `[工作区很大，只查看了前 ${MAX_SEARCHED} 项；请用 path 指定文件夹]`,
    en: `[The tree is large: only its first ${MAX_SEARCHED} entries were looked at; name a folder with path]`,
  }[language];
}
