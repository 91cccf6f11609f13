/** `astroresearch ask "…"`: one turn, streamed to the terminal, or as one event a line (api.md, Command line). */
import { type DoneStatus, isTransient, toWire } from '@astroresearch/core';
import type { SendOutcome, TurnRequest } from '@astroresearch/runtime';
import { EXIT } from '../exit-codes.ts';
import { type Opened, withAstronomer } from '../open.ts';
import { createTurnPrinter } from '../print-turn.ts';
import type { Terminal } from '../terminal.ts';
import { say, TEXTS } from '../texts.ts';

export type AskOptions = {
  readonly session?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly model?: string;
  readonly thinking?: boolean;
};

export function ask(question: string, options: AskOptions, terminal: Terminal): Promise<number> {
  return withAstronomer(terminal, {}, (opened) => askIn(opened, question, options, terminal));
}

async function askIn(
  opened: Opened,
  question: string,
  options: AskOptions,
  terminal: Terminal,
): Promise<number> {
  const { agent } = opened.astronomer;
  const { language } = opened;
  const sessionId = options.session ?? (await agent.createSession()).sessionId;
  const request = {
    message: question,
    ...(options.model === undefined ? {} : { model: options.model }),
    enableThinking: options.thinking ?? false,
    ...(options.yes === true ? { permissionMode: 'auto' as const } : {}),
  };
  const sent = await sendWhenFree(opened, sessionId, request, terminal);
  switch (sent.kind) {
    case 'unknown-session':
      terminal.error(`${say(TEXTS.unknownSession, language, { id: sessionId })}\n`);
      return EXIT.failed;
    case 'already-running':
      terminal.error(`${say(TEXTS.sessionBusy, language, { id: sessionId })}\n`);
      return EXIT.failed;
    case 'started':
      break;
    case 'queued':
    case 'repeated':
    case 'key-reused':
      throw new Error(`a request without queue or key cannot be ${sent.kind}`);
    default:
      return sent satisfies never;
  }

  const reading = new AbortController();
  const endInterrupts = cancelOnInterrupt(terminal, opened, sessionId);
  const events = await agent.subscribe(sessionId, { afterSeq: sent.firstSeq - 1, signal: reading.signal });
  void sent.ended.then((end) => {
    if (end.kind === 'crashed') reading.abort();
  });
  const printer = createTurnPrinter(terminal, language);
  let status: DoneStatus = 'failed';
  for await (const event of events ?? []) {
    if (event.turnId !== sent.turnId) continue;
    const wire = toWire(sessionId, event);
    if (options.json === true) terminal.out(`${JSON.stringify(wire)}\n`);
    else printer.print(wire);
    if (!isTransient(event) && event.type === 'done') {
      status = event.status;
      reading.abort();
    }
  }
  await sent.ended;
  endInterrupts();
  if (options.json !== true) terminal.error(`\n${say(TEXTS.goOn, language, { id: sessionId })}\n`);
  return exitCode(status);
}

/** A turn that an earlier process left behind goes on here first; then comes the question. */
async function sendWhenFree(
  { astronomer, language }: Opened,
  sessionId: string,
  request: TurnRequest,
  terminal: Terminal,
): Promise<SendOutcome> {
  const sent = await astronomer.agent.send(sessionId, request);
  if (sent.kind !== 'already-running' || sent.ended === null) return sent;
  terminal.error(`${say(TEXTS.finishingFirst, language)}\n`);
  await sent.ended;
  return astronomer.agent.send(sessionId, request);
}

/** The first interrupt cancels the turn, the second ends the process. */
function cancelOnInterrupt(
  terminal: Terminal,
  { astronomer, language }: Opened,
  sessionId: string,
): () => void {
  let asked = false;
  return terminal.onInterrupt(() => {
    if (asked) terminal.exitNow(EXIT.interrupted);
    asked = true;
    terminal.error(`\n${say(TEXTS.stopping, language)}\n`);
    void astronomer.agent.cancel(sessionId).catch(() => terminal.exitNow(EXIT.interrupted));
  });
}

function exitCode(status: DoneStatus): number {
  switch (status) {
    case 'completed':
    case 'max_steps':
    case 'over_budget':
    case 'diminishing':
      return EXIT.done;
    case 'cancelled':
      return EXIT.interrupted;
    case 'failed':
      return EXIT.failed;
    default:
      return status satisfies never;
  }
}
