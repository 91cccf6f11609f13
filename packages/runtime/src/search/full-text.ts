/** Full-text search in memory: FTS5 with weighted fields; what holds every unit of the query comes first, then bm25. */
import Database from 'better-sqlite3';
import { indexTerms, type QueryUnit, queryUnits } from './terms.ts';

/** What a document says, by field. Fields left out are empty. */
export type FullTextFields = {
  readonly title?: string;
  /** Identifiers, authors, objects: names rather than prose. */
  readonly names?: string;
  readonly body?: string;
};

export type FullTextHit = {
  readonly id: string;
  /** bm25 turned round: more is better. Comparable within one search only. */
  readonly score: number;
  /** Every unit of the query occurs in the document. */
  readonly complete: boolean;
};

export type FullTextIndex = {
  /** Replaces the document of that id. */
  add(id: string, fields: FullTextFields): void;
  /** At most `limit` documents that hold any unit of the query, best first; none where it has no word. */
  search(query: string, limit: number): readonly FullTextHit[];
  close(): void;
};

/** How much a match counts in each field. */
const WEIGHTS = { title: 4, names: 3, body: 1 };

/** SQLite refuses longer chains of OR, and nobody asks with so many words. */
const MAX_UNITS = 64;

/** An empty index. It lives in memory and is gone with `close()`. */
export function createFullTextIndex(): FullTextIndex {
  const database = new Database(':memory:');
  // The terms come ready made: the tokenizer only has to split at blanks, so the marks of identifiers are letters to it.
  database.exec(`CREATE VIRTUAL TABLE documents USING fts5(
    id UNINDEXED, title, names, body, tokenize = "unicode61 remove_diacritics 0 tokenchars '.&/:;+-_()[]<>#%~@=*'"
  )`);
  const remove = database.prepare<[string]>('DELETE FROM documents WHERE id = ?');
  const insert = database.prepare<[string, string, string, string]>(
    'INSERT INTO documents (id, title, names, body) VALUES (?, ?, ?, ?)',
  );
  const select = database.prepare<[string, number], { readonly id: string; readonly rank: number }>(
    `SELECT id, bm25(documents, 0, ${WEIGHTS.title}, ${WEIGHTS.names}, ${WEIGHTS.body}) AS rank
     FROM documents WHERE documents MATCH ? ORDER BY rank, rowid LIMIT ?`,
  );
  const replace = database.transaction((id: string, fields: FullTextFields) => {
    remove.run(id);
    insert.run(id, prepared(fields.title), prepared(fields.names), prepared(fields.body));
  });

  return {
    add: (id, fields) => replace(id, fields),
    search(query, limit) {
      const units = queryUnits(query).slice(0, MAX_UNITS);
      if (units.length === 0 || limit < 1) return [];
      const phrases = units.map(phrase);
      const complete = select.all(phrases.join(' AND '), limit).map((row) => hit(row, true));
      if (complete.length === limit || units.length === 1) return complete;
      const known = new Set(complete.map(({ id }) => id));
      const partial = select.all(phrases.join(' OR '), limit).map((row) => hit(row, false));
      return [...complete, ...partial.filter(({ id }) => !known.has(id))].slice(0, limit);
    },
    close: () => {
      database.close();
    },
  };
}

const prepared = (text = ''): string => indexTerms(text).join(' ');

/** Quoted, so that no term is an operator of the query language. */
const phrase = (unit: QueryUnit): string => `"${unit.join(' ').replaceAll('"', '""')}"`;

const hit = (row: { readonly id: string; readonly rank: number }, complete: boolean): FullTextHit => ({
  id: row.id,
  score: -row.rank,
  complete,
});
