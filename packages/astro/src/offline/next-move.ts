/** Decides the one thing that the offline researcher does next: plan, search, read, or answer (recovery.md, The offline model). */
import type { Language } from '@astroresearch/core';
import { conceptsOf } from '../language/concepts.ts';
import type { NamesIn } from '../objects/catalogue-names.ts';
import { asksForBibtex, bibtexSubject, citedIn, identifiersIn } from './bibtex-request.ts';
import type { CallMade, Conversation } from './conversation.ts';
import { hasTopic, type Subject, subjectOf, widerQuery } from './subject.ts';
import { moveText, planText, type Said } from './texts.ts';
import type { PaperHit } from './tool-results.ts';

export type PlannedCall = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

export type Move =
  /** `text`: what the user reads meanwhile. */
  | { readonly kind: 'call-tools'; readonly text: string; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'answer' };

export type Situation = {
  readonly conversation: Conversation;
  /** Names of the tools that may be called; none where the request forbids calls. */
  readonly tools: ReadonlySet<string>;
  readonly namesIn: NamesIn;
};

/** Replies of one turn, the answer included. */
const MAX_REPLIES = 5;
const MAX_HITS = 8;
const MAX_TARGETS = 2;
/** Records of one call: as many as fit into a result. */
const RECORDS_A_CALL = 3;
const ENTRIES_A_CALL = 5;
/** A hit below this share of the best one is about something else. */
const MIN_RELEVANCE = 0.45;
/** For BibTeX of works that are only described, the bar is higher. */
const MIN_EXPORT_RELEVANCE = 0.8;
/** What the answer needs of a record. */
const FIELDS = ['authors', 'publication', 'objects', 'quantities', 'summary'];
const PLAN_STEPS = ['search', 'read', 'answer'] as const;

/** Pure. Ends in an answer after at most four moves, whatever the tools say. */
export function nextMove(situation: Situation): Move {
  const { conversation, tools } = situation;
  if (tools.size === 0 || conversation.question === '' || conversation.replies >= MAX_REPLIES - 1)
    return ANSWER;
  const research = asksForBibtex(conversation.question)
    ? exportMove(situation)
    : (searchMove(situation) ?? readMove(situation));
  return research ?? closingMove(situation) ?? ANSWER;
}

/** What the question is about; of a request for BibTeX, which works it wants. */
export function askedAbout({ conversation, namesIn }: Omit<Situation, 'tools'>): Subject {
  const { question } = conversation;
  const asked = asksForBibtex(question) ? bibtexSubject(question) : question;
  return subjectOf({ ...conversation, question: asked }, namesIn);
}

/** The hits of this turn that are about the question, best first. */
export function relevantHits(
  calls: readonly CallMade[],
  minRelevance: number = MIN_RELEVANCE,
): readonly PaperHit[] {
  const hits = calls.flatMap(({ result }) => (result.kind === 'search' ? result.data.papers : []));
  const different = [...new Map(hits.map((hit) => [hit.id, hit])).values()];
  return different.filter(({ relevance = 1 }) => relevance >= minRelevance);
}

const ANSWER: Move = { kind: 'answer' };

function searchMove(situation: Situation): Move | null {
  const { conversation, tools, namesIn } = situation;
  const { calls, language } = conversation;
  if (!tools.has('search_papers') && !tools.has('resolve_target')) return null;
  const searches = callsOf(calls, 'search_papers');
  if (searches.length === 0 && callsOf(calls, 'resolve_target').length === 0) return openingMove(situation);
  const failed = searches.length === 1 && relevantHits(calls).length === 0;
  const first = searches[0];
  const query = failed && first !== undefined ? widerQuery(conversation, queryOf(first), namesIn) : null;
  if (query === null) return null;
  return callTools({ kind: 'search-wider' }, [searchCall(query)], language);
}

function openingMove(situation: Situation): Move | null {
  const { conversation, tools } = situation;
  const subject = askedAbout(situation);
  if (subject.query === '') return null;
  const search = tools.has('search_papers') ? [searchCall(subject.query, pageOf(subject, conversation))] : [];
  const resolves = tools.has('resolve_target') && !subject.goesOn;
  const targets = resolves ? subject.objects.slice(0, MAX_TARGETS) : [];
  const calls = [...search, ...targets.map((name) => ({ name: 'resolve_target', arguments: { name } }))];
  if (calls.length === 0) return null;
  return callTools({ kind: 'search', targets }, [...planCall(situation, 0), ...calls], conversation.language);
}

function readMove(situation: Situation): Move | null {
  const { conversation, tools } = situation;
  const ids = relevantHits(conversation.calls).map(({ id }) => id);
  if (!tools.has('get_paper_metadata') || ids.length === 0) return null;
  if (callsOf(conversation.calls, 'get_paper_metadata').length > 0) return null;
  const calls = inParts(ids, RECORDS_A_CALL).map((some) => ({
    name: 'get_paper_metadata',
    arguments: { ids: some, fields: FIELDS, language: conversation.language },
  }));
  return callTools(
    { kind: 'read', papers: ids.length },
    [...planCall(situation, 1), ...calls],
    conversation.language,
  );
}

/** Ids in the request, else of the works that it describes, else of those cited so far. */
function exportMove(situation: Situation): Move | null {
  const { conversation, tools, namesIn } = situation;
  const { question, calls, earlierAnswers, language } = conversation;
  if (!tools.has('export_bibtex') || callsOf(calls, 'export_bibtex').length > 0) return null;
  const subject = bibtexSubject(question);
  const described = namesIn(subject).length > 0 || hasTopic(conceptsOf(subject));
  const given = identifiersIn(question);
  const cited = citedIn(earlierAnswers);
  const known = given.length > 0 ? given : described ? [] : cited;
  const ids = known.length > 0 ? known : relevantHits(calls, MIN_EXPORT_RELEVANCE).map(({ id }) => id);
  if (ids.length === 0) return searchMove(situation);
  const plan = callsOf(calls, 'search_papers').length > 0 ? planCall(situation, 1) : [];
  const exports = inParts(ids.slice(0, MAX_ENTRIES), ENTRIES_A_CALL).map((some) => ({
    name: 'export_bibtex',
    arguments: { ids: some },
  }));
  return callTools({ kind: 'export', works: ids.length }, [...plan, ...exports], language);
}

/** Says that the plan is done, once, before the answer. */
function closingMove(situation: Situation): Move | null {
  const { conversation } = situation;
  const plans = callsOf(conversation.calls, 'todo_write');
  const open = plans.length > 0 && JSON.stringify(plans.at(-1)?.arguments).includes('"in_progress"');
  if (!open) return null;
  return callTools({ kind: 'close' }, planCall(situation, PLAN_STEPS.length), conversation.language);
}

/** The plan with the steps before `current` completed; nothing where plans cannot be written. */
function planCall({ conversation, tools }: Situation, current: number): readonly PlannedCall[] {
  if (!tools.has('todo_write')) return [];
  const todos = PLAN_STEPS.map((step, index) => ({
    id: String(index + 1),
    content: planText(step, conversation.question, conversation.language),
    status: index < current ? 'completed' : index === current ? 'in_progress' : 'pending',
  }));
  return [{ name: 'todo_write', arguments: { todos } }];
}

const MAX_QUERY_CHARS = 500;

function searchCall(query: string, offset = 0): PlannedCall {
  const asked = query.slice(0, MAX_QUERY_CHARS).toWellFormed().trim();
  return {
    name: 'search_papers',
    arguments: { query: asked, limit: MAX_HITS, ...(offset > 0 ? { offset } : {}) },
  };
}

/** As many entries as one turn exports. */
const MAX_ENTRIES = 50;

function inParts(ids: readonly string[], size: number): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / size);
  return Array.from({ length: count }, (_, part) => ids.slice(part * size, (part + 1) * size));
}

/** "Continue" asks for the hits after those that the same search gave before. */
function pageOf({ goesOn, query }: Subject, { earlierCalls }: Conversation): number {
  if (!goesOn) return 0;
  return callsOf(earlierCalls, 'search_papers')
    .filter((call) => queryOf(call) === searchCall(query).arguments.query)
    .reduce((sum, { result }) => sum + (result.kind === 'search' ? result.data.papers.length : 0), 0);
}

/** What a search asked for; empty for another call. */
export function queryOf({ arguments: given }: CallMade): string {
  const query: unknown = typeof given === 'object' && given !== null && 'query' in given ? given.query : '';
  return typeof query === 'string' ? query : '';
}

const callsOf = (calls: readonly CallMade[], name: string) => calls.filter((call) => call.name === name);

function callTools(said: Said, calls: readonly PlannedCall[], language: Language): Move {
  return { kind: 'call-tools', text: moveText(said, language), calls };
}
