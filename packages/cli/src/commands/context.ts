/** `astroresearch context SESSION`: what a request carries, as a bar and a table (api.md, Command line). */
import { contextToWire } from '@astroresearch/core';
import { EXIT } from '../exit-codes.ts';
import { withAstronomer } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { say, TEXTS } from '../texts.ts';
import { contextLines } from './context-lines.ts';

export type ContextOptions = { readonly request?: string; readonly json?: boolean };

export function showContext(id: string, options: ContextOptions, terminal: Terminal): Promise<number> {
  const request = options.request === undefined ? null : Number(options.request);
  if (request !== null && (!Number.isInteger(request) || request < 1)) {
    terminal.error('--request must be a whole number from 1\n');
    return Promise.resolve(EXIT.wrongUse);
  }
  return withAstronomer(terminal, {}, async ({ astronomer, language }) => {
    const outcome = await astronomer.agent.readContext(id, request);
    if (outcome === null) {
      terminal.error(`${say(TEXTS.unknownSession, language, { id })}\n`);
      return EXIT.failed;
    }
    switch (outcome.kind) {
      case 'beyond': {
        const numbers = { request: String(request), next: String(outcome.requests + 1) };
        terminal.error(`${say(TEXTS.requestNotMade, language, numbers)}\n`);
        return EXIT.failed;
      }
      case 'found': {
        const { context, limits } = outcome;
        if (options.json === true) {
          terminal.out(`${JSON.stringify(contextToWire(context, limits), null, 2)}\n`);
        } else {
          terminal.out(`${contextLines(context, limits, language).join('\n')}\n`);
        }
        return EXIT.done;
      }
      default:
        return outcome satisfies never;
    }
  });
}
