/** `astroresearch compact FILE`: makes a recorded history smaller, without a server or a database (api.md, Command line). */
import { createModel } from '@astroresearch/astro';
import {
  type Compaction,
  type CompactionLimits,
  type ContextEdit,
  compress,
  coverage,
  estimateTokens,
  LAYER_NAMES,
  type LayerName,
  type Message,
  messageId,
  type OpenAiMessage,
  openAiMessage,
  type SummaryReply,
  sizeOf,
} from '@astroresearch/core';
import { type Config, summarise, systemClock, systemIds } from '@astroresearch/runtime';
import { EXIT } from '../exit-codes.ts';
import { type HistoryFile, readHistoryFile } from '../history-file.ts';
import { numberOption } from '../number-option.ts';
import { readTerminalConfig } from '../open.ts';
import type { Terminal } from '../terminal.ts';
import { say, TEXTS } from '../texts.ts';

export type CompactOptions = {
  readonly layers?: string;
  readonly soft?: string;
  readonly targetTokens?: string;
  readonly targetChars?: string;
  readonly policy?: string;
  readonly summarizer?: string;
  readonly json?: boolean;
};

/** Of the seed: characters that the view may have, times its factor. */
const SEED_TARGET_CHARS = 24_000;

export async function compact(file: string, options: CompactOptions, terminal: Terminal): Promise<number> {
  const read = readTerminalConfig(terminal);
  if (read === null) return EXIT.wrongUse;
  const wanted = readOptions(options);
  if (typeof wanted === 'string') {
    terminal.error(`${wanted}\n`);
    return EXIT.wrongUse;
  }
  const history = await readHistoryFile(file, read.config.language, estimateTokens);
  if ('fault' in history) {
    terminal.error(`${history.fault}\n`);
    return EXIT.failed;
  }
  const limits = limitsFor(history.messages, wanted, read.config.settings.compaction.maxMessages);
  const size = sizeOf(history.messages, limits);
  const ask = wanted.asksModel ? modelSummary(read.config, history) : noSummary;
  const done = size > wanted.softTokens ? await compactHistory(history, limits, wanted.layers, ask) : null;
  const messages = done === null ? history.messages : done.messages;
  const wire = messages.map((message) => toWire(message, history));
  const report = reportOf(history, messages, done, limits);
  if (options.json === true) terminal.out(`${JSON.stringify({ messages: wire, report }, null, 2)}\n`);
  else {
    for (const message of wire) terminal.out(`${JSON.stringify(message)}\n`);
    terminal.error(`${say(TEXTS.compacted, read.language, textValues(report))}\n`);
    if (history.repairs.length > 0)
      terminal.error(`${say(TEXTS.repaired, read.language, { count: String(history.repairs.length) })}\n`);
  }
  return EXIT.done;
}

type Wanted = {
  readonly layers: readonly LayerName[];
  /** Nothing is done up to this size. */
  readonly softTokens: number;
  readonly targetTokens: number | null;
  readonly targetChars: number | null;
  readonly asksModel: boolean;
};

/** What is wrong, in one line, or what was asked for. */
function readOptions(options: CompactOptions): Wanted | string {
  const softTokens = numberOption('--soft', options.soft ?? '0');
  const targetTokens =
    options.targetTokens === undefined ? null : numberOption('--target-tokens', options.targetTokens);
  const chars =
    options.targetChars === undefined ? null : numberOption('--target-chars', options.targetChars);
  for (const value of [softTokens, targetTokens, chars]) if (typeof value === 'string') return value;
  if (targetTokens !== null && chars !== null) return '--target-tokens and --target-chars exclude each other';
  const policy = options.policy ?? 'balanced';
  if (policy !== 'balanced' && policy !== 'seed') return `--policy must be balanced or seed, not ${policy}`;
  const summarizer = options.summarizer ?? 'extractive';
  if (summarizer !== 'extractive' && summarizer !== 'model')
    return `--summarizer must be extractive or model, not ${summarizer}`;
  const layers: string[] = options.layers?.split(',').map((name) => name.trim()) ?? [...LAYER_NAMES];
  const unknown = layers.find((name) => !LAYER_NAMES.some((known) => known === name));
  if (unknown !== undefined) return `--layers: ${unknown} is none of ${LAYER_NAMES.join(', ')}`;
  return {
    layers: layers as LayerName[],
    asksModel: summarizer === 'model',
    softTokens: softTokens as number,
    targetTokens: targetTokens as number | null,
    targetChars:
      (chars as number | null) ?? (policy === 'seed' && targetTokens === null ? SEED_TARGET_CHARS : null),
  };
}

/** A target in tokens is half of what triggers, where none was given. */
function limitsFor(messages: readonly Message[], wanted: Wanted, maxMessages: number): CompactionLimits {
  const plain = { toolTokens: 0, scale: 1 };
  const size = sizeOf(messages, plain);
  const triggerTokens = wanted.softTokens === 0 ? size : wanted.softTokens;
  const [system] = messages;
  const fixedTokens = system?.role === 'system' ? system.tokens : 0;
  return {
    ...plain,
    triggerTokens,
    targetTokens:
      wanted.targetTokens ?? (wanted.targetChars === null ? triggerTokens / 2 : Number.POSITIVE_INFINITY),
    targetChars: wanted.targetChars,
    hardTokens: Number.POSITIVE_INFINITY,
    windowTokens: Number.POSITIVE_INFINITY,
    roomTokens: Math.max(0, triggerTokens - fixedTokens),
    maxMessages,
  };
}

type AskSummary = (messages: readonly Message[]) => Promise<SummaryReply>;

const noSummary: AskSummary = () => Promise.resolve({ kind: 'none' });

function modelSummary(config: Config, { language }: HistoryFile): AskSummary {
  const world = { clock: systemClock, ids: systemIds, fetch: globalThis.fetch };
  const model = createModel(config, world);
  const name = config.model.provider === 'offline' ? '' : config.model.model;
  const signal = new AbortController().signal;
  const parts = { agentName: 'lead', model, settings: config.settings, countTokens: estimateTokens, signal };
  return (messages) => summarise({ messages, keep: null, language, model: name }, parts);
}

async function compactHistory(
  { messages, language }: HistoryFile,
  limits: CompactionLimits,
  layers: readonly LayerName[],
  ask: AskSummary,
): Promise<Compaction> {
  let ordinal = messages.length;
  const nextId = () => {
    ordinal += 1;
    return messageId(ordinal);
  };
  const newest = messages.at(-1);
  const place = { agentName: 'lead', turnIndex: newest?.turnIndex ?? 0, step: newest?.step ?? 0, nowMs: 0 };
  const context = { limits, language, tasks: [], count: estimateTokens, nextId, ...place };
  const steps = compress(messages, context, { layers });
  let next = steps.next();
  while (next.done !== true) {
    const need = next.value;
    // A recorded history was never cut: it is its own originals.
    next = steps.next(
      need.kind === 'summary' ? await ask(need.messages) : { kind: 'originals', messages: [] },
    );
  }
  return next.value;
}

/** The message as the file has it where it was left alone, so that nothing is lost that we do not model. */
function toWire(message: Message, { sources }: HistoryFile): OpenAiMessage | unknown {
  const source = sources.get(message.parts);
  const isChatMessage =
    typeof source === 'object' &&
    source !== null &&
    'role' in source &&
    source.role === message.role &&
    !('parts' in source);
  return isChatMessage ? source : openAiMessage(message);
}

type Report = {
  readonly layers: readonly object[];
  readonly messages_before: number;
  readonly messages_after: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly success: boolean;
  readonly refs: readonly { readonly ref: string; readonly from: string; readonly to: string }[];
  readonly repairs: readonly object[];
};

function reportOf(
  history: HistoryFile,
  messages: readonly Message[],
  done: Compaction | null,
  limits: CompactionLimits,
): Report {
  const tokensAfter = sizeOf(messages, limits);
  return {
    layers: (done?.layers ?? []).map(({ layer, edits, tokensBefore, tokensAfter: after }) => ({
      layer,
      edits,
      tokens_before: tokensBefore,
      tokens_after: after,
    })),
    messages_before: history.recorded,
    messages_after: messages.length,
    tokens_before: done?.tokensBefore ?? tokensAfter,
    tokens_after: tokensAfter,
    success: done?.success ?? false,
    refs: (done?.edits ?? []).map(refOf),
    repairs: history.repairs.map((repair) =>
      repair.kind === 'set-aside' ? { ...repair, message: openAiMessage(repair.message) } : repair,
    ),
  };
}

/** What a reader can ask back, by the number that stands in the text. */
function refOf(edit: ContextEdit): Report['refs'][number] {
  const { from, to } =
    edit.kind === 'rewrite' ? { from: edit.message, to: edit.message } : coverage(edit.replacement);
  return { ref: from === to ? from : `${from}-${to}`, from, to };
}

function textValues(report: Report): Readonly<Record<string, string>> {
  return {
    messagesBefore: String(report.messages_before),
    messagesAfter: String(report.messages_after),
    tokensBefore: String(report.tokens_before),
    tokensAfter: String(report.tokens_after),
  };
}
