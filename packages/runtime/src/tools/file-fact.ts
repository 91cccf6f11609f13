/** What a tool did with a file, for the agent's file cache (context.md 6). */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { FileFact } from '@astroresearch/core';

/** `content`: the whole of it, as a reader is shown it. `whole`: the message shows it all. `./a` and `a` are one file. */
export function fileFact(file: string, content: string, did: FileFact['did'], whole: boolean): FileFact {
  return {
    path: path.posix.normalize(file.replaceAll('\\', '/')),
    hash: createHash('sha256').update(content, 'utf8').digest('hex').slice(0, HASH_DIGITS),
    bytes: Buffer.byteLength(content, 'utf8'),
    did,
    whole,
  };
}

/** 128 bits: nobody finds two contents that would pass for one another. */
const HASH_DIGITS = 32;
