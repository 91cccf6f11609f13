/** The output store on disk: one file per output, named by its SHA-256. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../files/error-code.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Ids } from '../ports.ts';
import { keptText, pageOf, sha256Of } from './kept-text.ts';
import type { OutputStore } from './output-store.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/** `folder` is made at the first save. Files are for this user alone. A damaged file is healed by the next save. */
export function createOutputStore(options: { readonly folder: string; readonly ids: Ids }): OutputStore {
  const { folder, ids } = options;
  return {
    async save(text) {
      const { bytes, ...saved } = keptText(text);
      const known = await readOutput(folder, saved.sha256);
      if (known === null || !bytes.equals(known)) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeAtomically({ folder, name: fileName(saved.sha256), content: bytes, mode: 0o600 }, ids);
      }
      return saved;
    },
    async read(sha256, offsetChars, limitChars) {
      const bytes = SHA256.test(sha256) ? await readOutput(folder, sha256) : null;
      if (bytes === null) return { kind: 'missing' };
      return sha256Of(bytes) === sha256 ? pageOf(bytes, offsetChars, limitChars) : { kind: 'damaged' };
    },
  };
}

async function readOutput(folder: string, sha256: string): Promise<Buffer | null> {
  try {
    return await readFile(join(folder, fileName(sha256)));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function fileName(sha256: string): string {
  return `${sha256}.txt`;
}
