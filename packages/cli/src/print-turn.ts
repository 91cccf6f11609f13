/** Prints a turn for a person: the answer on stdout as it comes, what the agent does on stderr. */
import type { Language, WireEvent } from '@astroresearch/core';
import { cleanText } from '@astroresearch/runtime';
import { noticeText } from './notice-text.ts';
import type { Terminal } from './terminal.ts';
import { say, TEXTS } from './texts.ts';

const ARGUMENT_CHARS = 100;

export type TurnPrinter = { print(event: WireEvent): void };

export function createTurnPrinter(terminal: Terminal, language: Language): TurnPrinter {
  const colour = terminal.isInteractive && terminal.env.NO_COLOR === undefined;
  const dim = (text: string) => (colour ? `\u001b[2m${text}\u001b[0m` : text);
  const began = new Map<string, string>();
  let column = 0;

  const answer = (text: string) => {
    const clean = cleanText(text);
    terminal.out(clean);
    if (clean !== '') column = clean.endsWith('\n') ? 0 : 1;
  };
  const note = (text: string) => {
    if (column > 0) answer('\n');
    terminal.error(`${dim(cleanText(text))}\n`);
  };

  return {
    print({ type, data }) {
      switch (type) {
        case 'session':
          note(`${data.provider} / ${data.model}${data.note === undefined ? '' : ` — ${data.note}`}`);
          break;
        case 'text_delta':
          answer(String(data.text));
          break;
        case 'tool_call':
          began.set(String(data.tool_call_id), `${data.name} ${shortened(JSON.stringify(data.arguments))}`);
          break;
        case 'tool_result': {
          const call = began.get(String(data.tool_call_id)) ?? data.name;
          note(`${data.status === 'ok' ? '✓' : '✗'} ${call} · ${data.status} · ${data.elapsed_ms} ms`);
          break;
        }
        case 'retry':
        case 'recovery':
        case 'model_switch':
        case 'usage':
        case 'compaction': {
          const words = noticeText(type, data, language);
          if (words !== null) note(words);
          break;
        }
        case 'error':
          note(say(TEXTS.failed, language, { message: String(data.message) }));
          break;
        case 'done':
          if (data.status === 'cancelled') note(say(TEXTS.cancelled, language));
          if (data.status === 'max_steps') note(say(TEXTS.maxSteps, language));
          if (column > 0) answer('\n');
          break;
        default:
      }
    },
  };
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= ARGUMENT_CHARS ? text : `${characters.slice(0, ARGUMENT_CHARS).join('')}…`;
}
