/** A file's bytes as text for the model: the text itself if it is UTF-8, else a line that says what the bytes are. */
import { createHash } from 'node:crypto';
import type { Bilingual, Language } from '@astroresearch/core';
import { cleanText } from './sanitise.ts';

export type ReadableContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly description: string };

/** `binary` where the bytes hold NUL or are not UTF-8; a byte order mark is left out. */
export function readableContent(bytes: Uint8Array, language: Language): ReadableContent {
  if (!bytes.includes(0)) {
    try {
      return { kind: 'text', text: cleanText(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
    } catch {
      return { kind: 'binary', description: describeBinary(bytes, language) };
    }
  }
  return { kind: 'binary', description: describeBinary(bytes, language) };
}

function describeBinary(bytes: Uint8Array, language: Language): string {
  const kind = guessKind(bytes)[language];
  const sha256 = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return {
    zh: `[二进制内容，不显示：${kind}，${bytes.length} 字节，sha256 以 ${sha256} 开头]`,
    en: `[binary content, not shown: ${kind}, ${bytes.length} bytes, sha256 begins ${sha256}]`,
  }[language];
}

/** First bytes, in Latin-1, of the kinds that an astronomer's folder holds. */
const MAGIC: readonly { readonly start: string; readonly at?: number; readonly kind: string | Bilingual }[] =
  [
    { start: 'SIMPLE  =', kind: 'FITS' },
    { start: 'XTENSION=', kind: 'FITS' },
    { start: '\x89HDF\r\n\x1a\n', kind: 'HDF5' },
    { start: 'PAR1', kind: 'Parquet' },
    { start: '\x93NUMPY', kind: 'NumPy' },
    { start: '%PDF-', kind: 'PDF' },
    { start: '\x89PNG\r\n\x1a\n', kind: 'PNG' },
    { start: '\xff\xd8\xff', kind: 'JPEG' },
    { start: 'GIF8', kind: 'GIF' },
    { start: 'II*\0', kind: 'TIFF' },
    { start: 'MM\0*', kind: 'TIFF' },
    { start: 'SQLite format 3\0', kind: 'SQLite' },
    { start: 'PK\x03\x04', kind: 'ZIP' },
    { start: '\x1f\x8b', kind: 'gzip' },
    { start: 'BZh', kind: 'bzip2' },
    { start: '\xfd7zXZ\0', kind: 'xz' },
    { start: '\x28\xb5\x2f\xfd', kind: 'zstd' },
    { start: 'ustar', at: 257, kind: 'tar' },
    { start: '\x7fELF', kind: 'ELF' },
    {
      start: '\xff\xfe',
      kind: { zh: 'UTF-16 文本，请转为 UTF-8', en: 'UTF-16 text, convert it to UTF-8' },
    },
    {
      start: '\xfe\xff',
      kind: { zh: 'UTF-16 文本，请转为 UTF-8', en: 'UTF-16 text, convert it to UTF-8' },
    },
  ];

function guessKind(bytes: Uint8Array): Bilingual {
  const head = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  const kind = MAGIC.find(({ start, at = 0 }) => head.startsWith(start, at))?.kind;
  if (kind === undefined) return { zh: '未知类型', en: 'unknown kind' };
  return typeof kind === 'string' ? { zh: kind, en: kind } : kind;
}
