/** Failed system calls of the workspace in words for the model: what is wrong with its path, and what to do. */
import type { Bilingual } from '@astroresearch/core';
import { errorCode } from '../files/error-code.ts';
import { ToolError } from './tool.ts';
import { OUTSIDE, withPath } from './workspace-path.ts';

const NOT_A_FOLDER: Bilingual = {
  zh: '{path} 的一部分是文件，不是文件夹。',
  en: 'A part of {path} is a file, not a folder.',
};

const BY_CODE: Readonly<Record<string, Bilingual>> = {
  ENOENT: {
    zh: '{path} 不存在。list_files 会列出已有的文件。',
    en: '{path} does not exist. list_files shows what does.',
  },
  ENOTDIR: NOT_A_FOLDER,
  EEXIST: NOT_A_FOLDER,
  EISDIR: { zh: '{path} 是文件夹，不是文件。', en: '{path} is a folder, not a file.' },
  ELOOP: {
    zh: '{path} 经过的符号链接成环，或在读写期间被改动。',
    en: 'A link on the way to {path} runs in a circle or was changed meanwhile.',
  },
  EACCES: { zh: '没有访问 {path} 的系统权限。', en: 'The system does not permit access to {path}.' },
  EPERM: { zh: '没有访问 {path} 的系统权限。', en: 'The system does not permit access to {path}.' },
  EROFS: { zh: '{path} 所在的磁盘是只读的。', en: '{path} is on a read-only disk.' },
  ENOSPC: {
    zh: '磁盘已满，{path} 没有写入；原有内容未变。',
    en: 'The disk is full: {path} was not written; what was there is unchanged.',
  },
  EDQUOT: {
    zh: '磁盘配额已满，{path} 没有写入；原有内容未变。',
    en: 'The disk quota is used up: {path} was not written; what was there is unchanged.',
  },
  ENAMETOOLONG: { zh: '路径 {path} 太长。', en: 'The path {path} is too long.' },
  EMFILE: {
    zh: '打开的文件过多，{path} 未能打开；请稍后重试。',
    en: 'Too many files are open to open {path}; try again later.',
  },
};

const UNKNOWN: Bilingual = { zh: '{path} 读写失败', en: 'Reading or writing {path} failed' };

/** The same error as a `ToolError`; one that already is comes back as it is. */
export function workspaceError(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const code = errorCode(error);
  const known = code === null ? undefined : BY_CODE[code];
  if (known !== undefined) return new ToolError(withPath(known, path), { cause: error });
  const { zh, en } = withPath(UNKNOWN, path);
  const reason = code ?? (error instanceof Error ? error.name : typeof error);
  return new ToolError({ zh: `${zh}：${reason}`, en: `${en}: ${reason}` }, { cause: error });
}

export function outsideError(path: string): ToolError {
  return new ToolError(withPath(OUTSIDE, path));
}

export function notRegularError(path: string): ToolError {
  return new ToolError(
    withPath(
      {
        zh: '{path} 不是普通文件（设备、管道或套接字），不能读写。',
        en: '{path} is not a regular file (a device, pipe or socket); it cannot be read or written.',
      },
      path,
    ),
  );
}

export function hardLinkError(path: string): ToolError {
  return new ToolError(
    withPath(
      {
        zh: '{path} 与别处的文件是同一个（硬链接），不能覆盖。请写入另一个名称。',
        en: '{path} is the same file as another one elsewhere (a hard link) and is not overwritten. Write under another name.',
      },
      path,
    ),
  );
}

export function tooLargeError(path: string, bytes: number, maxBytes: number): ToolError {
  return new ToolError(
    withPath(
      {
        zh: `{path} 有 ${bytes} 字节，超过可读取的 ${maxBytes} 字节。`,
        en: `{path} has ${bytes} bytes, more than the ${maxBytes} that can be read.`,
      },
      path,
    ),
  );
}
