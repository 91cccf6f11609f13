/** Everything that the tools of a turn brought, sorted by what it is for the answer. */
import type { CallMade, Conversation } from './conversation.ts';
import { queryOf, relevantHits } from './next-move.ts';
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
  /** Relevant hits whose records were not read. */
  readonly unread: readonly PaperHit[];
  /** No record was read: `papers` hold one sentence each and no values. */
  readonly onlyHits: boolean;
  readonly targets: readonly Target[];
  /** Of all exports of the turn together. */
  readonly bibtex: BibtexResult | null;
  readonly failures: readonly { readonly tool: string; readonly failure: ToolFailure }[];
  /** Tools whose results could not be read. */
  readonly unreadable: readonly string[];
  readonly shelf: SearchResult['shelf'] | null;
  /** Hits of the last search, those of later pages included. */
  readonly total: number;
  /** The words of a second search, where the first found nothing; null: there was none. */
  readonly widened: string | null;
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
    unread: onlyHits ? [] : hits.filter(({ id }) => !byId.has(id)),
    onlyHits,
    targets: used.flatMap(({ result }) => (result.kind === 'target' ? [result.target] : [])),
    bibtex: joined(used.flatMap(({ result }) => (result.kind === 'bibtex' ? [result.data] : []))),
    failures: used.flatMap(({ name, result }) =>
      result.kind === 'failed' ? [{ tool: name, failure: result.failure }] : [],
    ),
    unreadable: unreadableTools(used),
    shelf: searches.at(-1)?.shelf ?? null,
    total: searches.at(-1)?.total ?? 0,
    widened: widenedQuery(used),
    fromEarlier,
  };
}

function joined(exports: readonly BibtexResult[]): BibtexResult | null {
  if (exports.length === 0) return null;
  return {
    bibtex: exports.map(({ bibtex }) => bibtex).join('\n\n'),
    entries: exports.reduce((sum, { entries }) => sum + entries, 0),
    missing: exports.flatMap(({ missing }) => missing),
  };
}

function recordOfHit({ snippet, ...hit }: PaperHit): PaperRecord {
  return { ...hit, summary: snippet, refereed: 'unknown', objects: [], quantities: [] };
}

function widenedQuery(calls: readonly CallMade[]): string | null {
  const [, second] = calls.filter(({ name }) => name === 'search_papers');
  return second === undefined ? null : queryOf(second);
}

const READ_HERE = ['search_papers', 'get_paper_metadata', 'resolve_target', 'export_bibtex'];

function unreadableTools(calls: readonly CallMade[]): readonly string[] {
  const names = calls
    .filter(({ name, result }) => READ_HERE.includes(name) && result.kind === 'unreadable')
    .map(({ name }) => name);
  return [...new Set(names)];
}
