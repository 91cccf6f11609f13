/** `astroresearch serve`: the server and its page, until a signal or failed storage ends it. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@astroresearch/runtime';
import { type RunningServer, startServer } from '@astroresearch/server';
import { EXIT } from '../exit-codes.ts';
import { withAstronomer } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { say, TEXTS } from '../texts.ts';
import { readVersion } from '../version.ts';

/** Where `npm run build` puts the page. */
const PAGE_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url));

export type ServeOptions = { readonly host?: string; readonly port?: string };

export function serve(options: ServeOptions, terminal: Terminal): Promise<number> {
  return withAstronomer(terminal, { HOST: options.host, PORT: options.port }, async (opened) => {
    const { config, language, astronomer } = opened;
    let server: RunningServer;
    try {
      server = await startServer({
        agent: astronomer.agent,
        settings: {
          host: config.host,
          port: config.port,
          authToken: config.authToken,
          dataDir: config.folders.home,
        },
        pageFolder: PAGE_FOLDER,
        version: readVersion(),
        clock: systemClock,
        randomBytes,
        log: (level, message, fields) => {
          terminal.error(`${level} ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}\n`);
        },
      });
    } catch (error) {
      terminal.error(`${error instanceof Error ? error.message : String(error)}\n`);
      return EXIT.wrongUse;
    }
    const resumed = await astronomer.agent.resumeInterrupted();
    const { provider, defaultModel } = astronomer.model;
    terminal.out(
      [
        say(TEXTS.serving, language, { address: server.address }),
        say(TEXTS.model, language, { provider, model: defaultModel }),
        say(TEXTS.login, language),
        `  ${server.loginUrl()}`,
        say(TEXTS.stopHint, language),
        ...(resumed === 0 ? [] : [say(TEXTS.resumed, language, { count: String(resumed) })]),
        '',
      ].join('\n'),
    );
    const stopped = interrupted(terminal, () => terminal.error(`${say(TEXTS.stopping, language)}\n`));
    const fault = await Promise.race([stopped, opened.storeFailed]);
    // Clients first hear why, by the refusals of what they ask and by the end of their streams.
    await server.close();
    if (fault === undefined) return EXIT.done;
    terminal.error(`${say(TEXTS.storageFailed, language, { message: fault.message })}\n`);
    return EXIT.failed;
  });
}

/** Resolves at the first signal; the second ends the process at once. */
function interrupted(terminal: Terminal, told: () => void): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    terminal.onInterrupt(() => {
      if (asked) terminal.exitNow(EXIT.interrupted);
      asked = true;
      told();
      resolve();
    });
  });
}
