/** The token that guards the API, kept between starts in the data folder (reliability.md T1, T20, I26). */
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RandomBytes } from './tickets.ts';

const FILE_NAME = 'auth-token';

/**
 * Reads the token, or makes one of 256 bits at the first start. Two processes that start together agree on one. The
 * file is readable by its owner alone, whatever it was before. Throws an `Error` that names the file.
 */
export async function readOrMakeAuthToken(dataDir: string, randomBytes: RandomBytes): Promise<string> {
  const file = join(dataDir, FILE_NAME);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const stored = await readToken(file);
  if (stored !== null) return stored;
  await makeToken(dataDir, file, randomBytes);
  const made = await readToken(file);
  if (made === null) throw new Error(`The token file ${file} vanished while it was read. Start again.`);
  return made;
}

/** Null: there is no such file. */
async function readToken(file: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
    await chmod(file, 0o600);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new Error(
      `The token file ${file} cannot be read (${codeOf(error)}). Make it yours, or delete it.`,
      {
        cause: error,
      },
    );
  }
  const token = text.trim();
  if (/^[\w-]{32,}$/.test(token)) return token;
  throw new Error(`The token file ${file} holds no token. Delete it: the next start makes a new one.`);
}

/** Written aside and linked into place: the file is there whole or not at all, and the first to link it wins. */
async function makeToken(dataDir: string, file: string, randomBytes: RandomBytes): Promise<void> {
  const text = (count: number) => Buffer.from(randomBytes(count)).toString('base64url');
  const draft = join(dataDir, `.${FILE_NAME}-${text(12)}`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${text(32)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
