/** What a query finds in stored messages and in the whole outputs of those that were cut, as excerpts, best first. */
import type { Message, MessageId, MessageRange, ToolMessage } from '@astroresearch/core';
import type { SearchTerm } from '../store/store.ts';
import { excerptOf } from './excerpt.ts';
import { itemOf } from './item.ts';
import { readOriginal, searchedText } from './original.ts';
import { fold, parseQuery, type Query, type QueryTerm } from './query.ts';
import { type Candidate, isComplete, matchOf, rank } from './rank.ts';
import {
  RECALL_TOOL,
  type RecalledItem,
  type RecallOutcome,
  type RecallParts,
  type RecallRequest,
} from './recall-types.ts';

/** Candidates that a store is asked for: those with most terms. */
const MAX_CANDIDATES = 200;
/** Whole outputs are searched newest first, as many as have so many characters together. */
const MAX_OUTPUT_CHARS = 30_000_000;
const MAX_OUTPUTS = 2_000;
const MAX_ITEMS = 8;
const MIN_EXCERPT_CHARS = 120;
const MAX_EXCERPT_CHARS = 800;
/** More than any message has. */
const WHOLE = Number.MAX_SAFE_INTEGER;

type Search = {
  readonly parts: RecallParts;
  readonly sessionId: string;
  readonly request: RecallRequest;
  readonly range: MessageRange;
  readonly query: Query;
};

export async function searchMessages(
  parts: RecallParts,
  sessionId: string,
  request: RecallRequest,
  range: MessageRange,
  text: string,
): Promise<RecallOutcome> {
  const search: Search = { parts, sessionId, request, range, query: parseQuery(text) };
  const { query } = search;
  const outputs = await searchOutputs(search);
  const usual = query.terms.map(({ spellings }): SearchTerm => spellings);
  const phrases = query.phrases.map((phrase): SearchTerm => [phrase]);
  let stored = await searchStored(search, [...usual, ...phrases], outputs.searched);
  if (![...outputs.candidates, ...stored].some(({ match }) => isComplete(match, query))) {
    const known = new Set([...outputs.searched, ...stored.map(({ message }) => message.id)]);
    stored = [...stored, ...(await searchStored(search, query.terms.flatMap(rareTerm), known))];
  }
  const head = await parts.store.readHead(sessionId);
  const ranking = rank([...stored, ...outputs.candidates], query, head?.messages ?? 0);
  const offset = request.offset ?? 0;
  const items = await excerpts(search, ranking.hits.slice(offset), ranking.weights);
  const end = offset + items.length;
  const total = ranking.hits.length;
  return {
    kind: 'hits',
    items,
    offset,
    total,
    next: end < total ? end : null,
    unsearchedOutputs: outputs.unsearched,
  };
}

function rareTerm({ rareSpellings: [first, ...others] }: QueryTerm): readonly SearchTerm[] {
  return first === undefined ? [] : [[first, ...others]];
}

async function searchStored(
  { parts, sessionId, request, range, query }: Search,
  terms: readonly SearchTerm[],
  except: ReadonlySet<MessageId>,
): Promise<readonly Candidate[]> {
  request.signal?.throwIfAborted();
  const messages = await parts.store.findMessages(sessionId, {
    ...range,
    agentName: request.agentName,
    terms,
    exceptTool: RECALL_TOOL,
    limit: MAX_CANDIDATES,
  });
  return messages
    .filter(({ id }) => !except.has(id))
    .map((message) => ({ message, match: matchOf(fold(searchedText(message, RECALL_TOOL)), query) }));
}

type SearchedOutputs = {
  readonly candidates: readonly Candidate[];
  /** Messages of which the whole output was read: their stored text tells nothing more. */
  readonly searched: ReadonlySet<MessageId>;
  readonly unsearched: number;
};

async function searchOutputs({ parts, sessionId, request, range, query }: Search): Promise<SearchedOutputs> {
  const span = { ...range, agentName: request.agentName, limit: MAX_OUTPUTS };
  const cut = (await parts.store.readCutResults(sessionId, span)).filter(isSearched);
  const candidates: Candidate[] = [];
  const searched = new Set<MessageId>();
  let chars = 0;
  for (const [index, message] of cut.entries()) {
    request.signal?.throwIfAborted();
    chars += message.fullOutput?.chars ?? 0;
    if (index > 0 && chars > MAX_OUTPUT_CHARS)
      return { candidates, searched, unsearched: cut.length - index };
    const whole = await readOriginal(message, parts.outputs, 0, WHOLE);
    if (whole.fault !== undefined) continue;
    searched.add(message.id);
    candidates.push({ message, match: matchOf(fold(whole.text), query) });
  }
  return { candidates, searched, unsearched: 0 };
}

function isSearched(message: ToolMessage): boolean {
  return message.parts[0].name !== RECALL_TOOL;
}

/** As many as have room for something to read; the fewer, the longer. */
async function excerpts(
  { parts, request, query }: Search,
  hits: readonly Candidate[],
  weights: readonly number[],
): Promise<readonly RecalledItem[]> {
  const { limitChars, itemChars } = request;
  const fitting = Math.max(1, Math.floor(limitChars / (MIN_EXCERPT_CHARS + itemChars)));
  const shown = hits.slice(0, Math.min(fitting, MAX_ITEMS));
  const each = Math.floor(limitChars / Math.max(1, shown.length)) - itemChars;
  const chars = Math.max(1, Math.min(MAX_EXCERPT_CHARS, each));
  const items: RecalledItem[] = [];
  for (const { message } of shown) items.push(await excerptItem(parts, message, query, weights, chars));
  return items;
}

async function excerptItem(
  { outputs }: RecallParts,
  message: Message,
  query: Query,
  weights: readonly number[],
  chars: number,
): Promise<RecalledItem> {
  const whole = await readOriginal(message, outputs, 0, WHOLE);
  const searched = message.role === 'assistant' ? searchedText(message, RECALL_TOOL) : whole.text;
  const { text, offset } = excerptOf(whole.text, searched, query, weights, chars);
  return itemOf(message, { ...whole, text }, offset);
}
