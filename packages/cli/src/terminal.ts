/** What the command line knows of its terminal and process; passed to each command. */
import { homedir } from 'node:os';

export type Terminal = {
  /** For results: what a pipe reads. */
  out(text: string): void;
  /** For people: progress, logs, faults. */
  error(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  readonly isInteractive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly userHome: string;
  /** Calls `run` at each SIGINT and SIGTERM; the returned function ends that. */
  onInterrupt(run: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
  /** Ends the process at once: the user has asked twice. */
  exitNow(code: number): never;
  /** Resolves when all that was written has left the process. */
  flush(): Promise<void>;
};

export function systemTerminal(): Terminal {
  // A reader that went away (`| head`) is no fault of ours.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    readInput: async () => {
      let text = '';
      for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
      return text;
    },
    isInteractive: process.stdout.isTTY === true,
    env: process.env,
    workingFolder: process.cwd(),
    userHome: homedir(),
    onInterrupt(run) {
      const onInt = () => run('SIGINT');
      const onTerm = () => run('SIGTERM');
      process.on('SIGINT', onInt);
      process.on('SIGTERM', onTerm);
      return () => {
        process.off('SIGINT', onInt);
        process.off('SIGTERM', onTerm);
      };
    },
    exitNow: (code) => process.exit(code),
    flush: async () => {
      await Promise.all([process.stdout, process.stderr].map(drained));
    },
  };
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write('', () => resolve());
  });
}
