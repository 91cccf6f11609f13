/** Runs the built command line as a process of its own, in folders of its own, with nothing of the caller's environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../bin/astroresearch.js', import.meta.url));

export type Ended = { readonly code: number | null; readonly out: string; readonly error: string };

export type Process = {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stdout holds `text`. */
  printed(text: string): Promise<string>;
};

export function newFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'astroresearch-built-'));
}

export function start(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Process {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ASTRORESEARCH_HOME: path.join(folder, 'home'),
      LANG: 'C',
      ...env,
    },
  });
  let out = '';
  let error = '';
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    for (const wake of waiting) wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    error += text;
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, out, error })));
  return {
    child,
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!out.includes(text)) return;
          waiting.delete(look);
          resolve(out);
        };
        waiting.add(look);
        void ended.then(() => reject(new Error(`ended without printing ${text}: ${error}`)));
        look();
      }),
  };
}

export const run = (
  args: readonly string[],
  folder = newFolder(),
  env: Readonly<Record<string, string>> = {},
) => start(args, folder, env).ended;
