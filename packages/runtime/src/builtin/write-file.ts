/** `write_file`: makes or replaces a file of the workspace. The same content again changes nothing (reliability.md 2.2). */
import type { Language } from '@astroresearch/core';
import { z } from 'zod';
import { fileFact } from '../tools/file-fact.ts';
import { cleanText } from '../tools/sanitise.ts';
import { defineTool, ToolError } from '../tools/tool.ts';
import type { WorkspaceFiles } from '../tools/workspace-files.ts';

export const writeFileTool = defineTool({
  name: 'write_file',
  summary: { zh: '在工作区中写入文件', en: 'Write a file in the workspace' },
  description: {
    zh: '创建或整体替换工作区中的一个文本文件（UTF-8），缺少的文件夹会自动创建。content 必须是完整内容。',
    en: 'Creates or replaces one text file (UTF-8) of the workspace; missing folders are made. content must be the whole content.',
  },
  input: z.object({
    path: z.string().min(1).meta({
      description: 'Path relative to the workspace',
      zh: '相对于工作区的路径',
      example: 'results/table.csv',
    }),
    content: z.string().meta({ description: 'The whole content of the file', zh: '文件的完整内容' }),
  }),
  effect: 'idempotent',
  async execute({ path, content }, { files, language }) {
    if (await isAlready(files, path, content)) return { text: unchangedText(path, language) };
    const { bytes, created } = await files.write(path, content);
    const text = created ? createdText(path, bytes, language) : replacedText(path, bytes, language);
    return { text, file: fileFact(path, cleanText(content), 'wrote', false) };
  },
});

/** A file that cannot be read is not the same; whether it can be written is for the write to say. */
async function isAlready(files: WorkspaceFiles, path: string, content: string): Promise<boolean> {
  const wanted = Buffer.from(content, 'utf8');
  try {
    return wanted.equals(await files.read(path, wanted.length));
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

function unchangedText(path: string, language: Language): string {
  return {
    zh: `${path} 已经是这些内容，没有改动。`,
    en: `${path} holds exactly this already; nothing was changed.`,
  }[language];
}

function createdText(path: string, bytes: number, language: Language): string {
  return { zh: `已创建 ${path}（${bytes} 字节）。`, en: `Created ${path} (${bytes} bytes).` }[language];
}

function replacedText(path: string, bytes: number, language: Language): string {
  return { zh: `已替换 ${path}（${bytes} 字节）。`, en: `Replaced ${path} (${bytes} bytes).` }[language];
}
