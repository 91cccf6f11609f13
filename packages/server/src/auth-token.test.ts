import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOrMakeAuthToken } from './auth-token.ts';
import { countingBytes } from './testing/counting-bytes.ts';

let root: string;
let dataDir: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'auth-token-'));
  dataDir = join(root, 'data', 'deep');
});
afterEach(() => rm(root, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('readOrMakeAuthToken', () => {
  it('makes a token of 256 bits that only its owner can read', async () => {
    expect(await readOrMakeAuthToken(dataDir, countingBytes())).toMatch(/^[\w-]{43}$/);
    expect(await modeOf(dataDir)).toBe(0o700);
    expect(await modeOf(join(dataDir, 'auth-token'))).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['auth-token']);
  });

  it('keeps it from start to start', async () => {
    const first = await readOrMakeAuthToken(dataDir, countingBytes());
    expect(await readOrMakeAuthToken(dataDir, () => new Uint8Array(32))).toBe(first);
  });

  it('is one token for starts at the same moment', async () => {
    const randomBytes = countingBytes();
    const tokens = await Promise.all(
      Array.from({ length: 10 }, () => readOrMakeAuthToken(dataDir, randomBytes)),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['auth-token']);
  });

  it('takes back the rights that others had on the file', async () => {
    const token = await readOrMakeAuthToken(dataDir, countingBytes());
    await chmod(join(dataDir, 'auth-token'), 0o644);
    expect(await readOrMakeAuthToken(dataDir, countingBytes())).toBe(token);
    expect(await modeOf(join(dataDir, 'auth-token'))).toBe(0o600);
  });

  it.each(['', 'short', 'two words in a line that is long enough to be one'])(
    'refuses the file when it holds %j, and says what to do',
    async (content) => {
      await readOrMakeAuthToken(dataDir, countingBytes());
      await writeFile(join(dataDir, 'auth-token'), content);
      await expect(readOrMakeAuthToken(dataDir, countingBytes())).rejects.toThrow(/auth-token.*Delete it/);
    },
  );
});
