/** What a tool did with a file, for the agent's file cache (context.md 6). */
import path from 'node:path';
import { type FileFact, textHash } from '@astroresearch/core';

/** `content`: the whole of it. `whole`: the result shows it all. One path for one file, however it was written. */
export function fileFact(file: string, content: string, did: FileFact['did'], whole: boolean): FileFact {
  return {
    path: path.posix.normalize(file.replaceAll('\\', '/')),
    hash: textHash(content),
    bytes: Buffer.byteLength(content, 'utf8'),
    chars: [...content].length,
    did,
    whole,
  };
}
