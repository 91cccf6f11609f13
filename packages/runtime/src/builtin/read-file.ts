/** `read_file`: a file of the workspace as text, whole or some lines of it. */
import { fileUnchangedText, type Language } from '@astroresearch/core';
import { z } from 'zod';
import { readableContent } from '../tools/binary-content.ts';
import { fileFact } from '../tools/file-fact.ts';
import { defineTool, ToolError } from '../tools/tool.ts';

/** Larger files are refused; as much of an output is kept for recall (runtime.md). */
export const MAX_FILE_BYTES = 10_000_000;

export const readFileTool = defineTool({
  name: 'read_file',
  summary: { zh: '读取工作区中的文本文件', en: 'Read a text file in the workspace' },
  description: {
    zh: '读取工作区中的一个文本文件，返回原文。文件较大时用 offset 和 limit 只读其中几行。二进制文件只返回类型和大小。',
    en: 'Reads one text file of the workspace and returns its content as it is. For a large file, read some lines of it with offset and limit. Of a binary file only kind and size come back.',
  },
  input: z.object({
    path: z.string().min(1).meta({
      description: 'Path relative to the workspace',
      zh: '相对于工作区的路径',
      example: 'notes/readme.md',
    }),
    offset: z.int().min(1).optional().meta({
      description: 'First line to return, counted from 1',
      zh: '从第几行开始，从 1 计数',
    }),
    limit: z.int().min(1).optional().meta({ description: 'Number of lines', zh: '行数' }),
  }),
  effect: 'read',
  async execute({ path, offset, limit }, { files, language, shownWhole }) {
    const content = readableContent(await files.read(path, MAX_FILE_BYTES), language);
    if (content.kind === 'binary') return { text: content.description };
    if (content.text === '') return { text: emptyFileText(language) };
    const text =
      offset === undefined && limit === undefined
        ? content.text
        : someLines(content.text, offset ?? 1, limit ?? Number.POSITIVE_INFINITY, language);
    const file = fileFact(path, content.text, 'read', text === content.text);
    const shownBy = shownWhole(file.path, file.hash);
    if (shownBy === null) return { text, file };
    return { text: fileUnchangedText(file.path, shownBy, language), file, unchanged: true };
  },
});

function someLines(text: string, first: number, count: number, language: Language): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const total = lines.length;
  if (first > total) throw new ToolError(pastTheEndText(first, total));
  const shown = lines.slice(first - 1, first - 1 + count);
  if (shown.length === total) return text;
  const last = first + shown.length - 1;
  const range = {
    zh: `[第 ${first}–${last} 行，共 ${total} 行]`,
    en: `[lines ${first}–${last} of ${total}]`,
  }[language];
  return `${shown.join('\n')}\n${range}`;
}

function emptyFileText(language: Language): string {
  return { zh: '（空文件）', en: '(empty file)' }[language];
}

function pastTheEndText(first: number, total: number) {
  return {
    zh: `offset ${first} 超出文件末尾：文件共 ${total} 行。`,
    en: `offset ${first} is past the end: the file has ${total} lines.`,
  };
}
