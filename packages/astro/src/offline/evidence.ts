/** Everything that the tools of a turn brought, sorted by what it is for the answer. */
import { type Comparison, compareQuantities } from './comparison.ts';
import type { CallMade, Conversation } from './conversation.ts';
import { relevantHits } from './next-move.ts';
import type {
  BibtexResult,
  PaperHit,
  PaperRecord,
  SearchResult,
  Target,
  ToolFailure,
} from './tool-results.ts';

export type Gathered = {
  /** Read records in the order of the search; the hits themselves where no record was read. */
  readonly papers: readonly PaperRecord[];
  readonly comparisons: readonly Comparison[];
  /** Relevant hits whose records were not read. */
  readonly unread: readonly PaperHit[];
  /** No record was read: `papers` hold one sentence each and no values. */
  readonly onlyHits: boolean;
  readonly targets: readonly Target[];
  readonly bibtex: BibtexResult | null;
  readonly failures: readonly { readonly tool: string; readonly failure: ToolFailure }[];
  /** Tools whose results could not be read. */
  readonly unreadable: readonly string[];
  readonly shelf: SearchResult['shelf'] | null;
  /** Hits of all searches, those of later pages included. */
  readonly total: number;
  /** Nothing was looked up in this turn: it is all from earlier ones. */
  readonly fromEarlier: boolean;
};

export function gather({ calls, earlierCalls }: Conversation): Gathered {
  const looked = calls.filter(({ name }) => name !== 'todo_write');
  const fromEarlier = looked.length === 0;
  const used = fromEarlier ? earlierCalls : looked;
  const records = used.flatMap(({ result }) => (result.kind === 'records' ? result.papers : []));
  const byId = new Map(records.map((record) => [record.id, record]));
  const hits = relevantHits(used);
  const read = [
    ...hits.flatMap(({ id }) => byId.get(id) ?? []),
    ...[...byId.values()].filter(({ id }) => !hits.some((hit) => hit.id === id)),
  ];
  const onlyHits = read.length === 0 && hits.length > 0;
  const searches = used.flatMap(({ result }) => (result.kind === 'search' ? [result.data] : []));
  return {
    papers: onlyHits ? hits.map(recordOfHit) : read,
    comparisons: compareQuantities(read),
    unread: onlyHits ? [] : hits.filter(({ id }) => !byId.has(id)),
    onlyHits,
    targets: used.flatMap(({ result }) => (result.kind === 'target' ? [result.target] : [])),
    bibtex: used.flatMap(({ result }) => (result.kind === 'bibtex' ? [result.data] : [])).at(-1) ?? null,
    failures: used.flatMap(({ name, result }) =>
      result.kind === 'failed' ? [{ tool: name, failure: result.failure }] : [],
    ),
    unreadable: unreadableTools(used),
    shelf: searches.at(-1)?.shelf ?? null,
    total: searches.reduce((sum, { total }) => sum + total, 0),
    fromEarlier,
  };
}

function recordOfHit({ snippet, ...hit }: PaperHit): PaperRecord {
  return { ...hit, summary: snippet, objects: [], quantities: [] };
}

const READ_HERE = ['search_papers', 'get_paper_metadata', 'resolve_target', 'export_bibtex'];

function unreadableTools(calls: readonly CallMade[]): readonly string[] {
  const names = calls
    .filter(({ name, result }) => READ_HERE.includes(name) && result.kind === 'unreadable')
    .map(({ name }) => name);
  return [...new Set(names)];
}
