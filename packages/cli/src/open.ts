/** From the terminal's environment to an open agent: what every command that needs one begins with. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Astronomer, openAstronomer } from '@astroresearch/astro';
import type { Language } from '@astroresearch/core';
import { type Config, readConfig, StoreError, systemClock, systemIds } from '@astroresearch/runtime';
import { EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { say, TEXTS, terminalLanguage } from './texts.ts';

export type Opened = {
  readonly astronomer: Astronomer;
  readonly config: Config;
  readonly language: Language;
  /** Resolves where storage has failed for good; never rejects. */
  readonly storeFailed: Promise<StoreError>;
};

/** Null: the configuration has faults, which have been printed. */
export function readTerminalConfig(
  terminal: Terminal,
  overrides: Readonly<Record<string, string | undefined>> = {},
): { readonly config: Config; readonly language: Language } | null {
  const outcome = readConfig({
    env: { ...terminal.env, ...defined(overrides) },
    envFile: readEnvFile(terminal.workingFolder),
    readFile: readIfThere,
    userHome: terminal.userHome,
    workingFolder: terminal.workingFolder,
  });
  if (outcome.kind === 'config') {
    const { config } = outcome;
    return { config, language: terminalLanguage(config.language, terminal.env) };
  }
  const language = terminalLanguage('auto', terminal.env);
  const lines = [say(TEXTS.badConfig, language), ...outcome.faults, say(TEXTS.configHelp, language)];
  terminal.error(`${lines.join('\n')}\n`);
  return null;
}

/**
 * Runs `use` with an open agent and closes it afterwards, whatever happens. The result is the exit code: 2 for a bad
 * configuration, 1 where storage fails, else what `use` gives.
 */
export async function withAstronomer(
  terminal: Terminal,
  overrides: Readonly<Record<string, string | undefined>>,
  use: (opened: Opened) => Promise<number>,
): Promise<number> {
  const read = readTerminalConfig(terminal, overrides);
  if (read === null) return EXIT.wrongUse;
  let astronomer: Astronomer | null = null;
  let fail: (fault: StoreError) => void = () => {};
  const storeFailed = new Promise<StoreError>((resolve) => {
    fail = resolve;
  });
  try {
    astronomer = await openAstronomer(read.config, {
      clock: systemClock,
      ids: systemIds,
      fetch: globalThis.fetch,
      reportFault: (what, error) =>
        terminal.error(`${what}: ${error instanceof Error ? error.message : error}\n`),
      storeFailed: (fault) => fail(fault),
    });
    return await use({ ...read, astronomer, storeFailed });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    terminal.error(`${say(TEXTS.storageFailed, read.language, { message: error.message })}\n`);
    return EXIT.failed;
  } finally {
    await astronomer?.agent.close().catch(() => {});
  }
}

function readEnvFile(folder: string): string | null {
  try {
    return readFileSync(path.join(folder, '.env'), 'utf8');
  } catch {
    return null;
  }
}

/** There is no such file, or no such folder. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** Throws where the file is there and cannot be read. */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ABSENT.has(error.code)) return null;
    throw error;
  }
}

function defined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
