/** Which sessions hold a text: an index of every three characters names candidates, the messages themselves decide. */
import type Database from 'better-sqlite3';
import type { ListPosition } from './list-cursor.ts';
import { lowerAscii, readable } from './readable-text.ts';
import type { SessionRecord } from './session-rows.ts';
import { containing } from './sqlite-find.ts';

type Parameters = {
  readonly pattern: string;
  readonly createdAtMs: number;
  readonly sessionId: string;
  readonly limit: number;
};

export type SessionSearch = (query: string, from: ListPosition, limit: number) => readonly SessionRecord[];

/** Newest first, behind a position; every character of a query stands for itself, A–Z and a–z are the same. */
export function prepareSessionSearch(database: Database.Database): SessionSearch {
  const byPhrase = prepare<{ readonly match: string }>(
    database,
    `SELECT rowid AS doc FROM agent_search WHERE agent_search MATCH @match`,
  );
  const byBeginning = prepare<{ readonly first: string; readonly last: string }>(
    database,
    `SELECT DISTINCT doc FROM agent_search_terms WHERE term BETWEEN @first AND @last`,
  );
  return (query, { createdAtMs, sessionId }, limit) => {
    const shared = { pattern: containing(query), createdAtMs, sessionId, limit };
    const characters = [...lowerAscii(readable(query))];
    if (characters.length >= GRAM) return byPhrase.all({ ...shared, match: gramsOf(characters) });
    const first = characters.join('');
    return byBeginning.all({ ...shared, first, last: `${first}${LAST_CHARACTER.repeat(GRAM)}` });
  };
}

/** As the tokenizer cuts. */
const GRAM = 3;
const LAST_CHARACTER = '\u{10ffff}';

function gramsOf(characters: readonly string[]): string {
  const count = characters.length - GRAM + 1;
  const grams = Array.from({ length: count }, (_, at) => characters.slice(at, at + GRAM).join(''));
  const phrases = [...new Set(grams)].slice(0, MAX_GRAMS).map((gram) => `"${gram.replaceAll('"', '""')}"`);
  return phrases.join(' AND ');
}

/** SQLite refuses longer chains of AND; those left out only make more candidates. */
const MAX_GRAMS = 48;

function prepare<Candidates extends object>(database: Database.Database, candidates: string) {
  return database.prepare<[Parameters & Candidates], SessionRecord>(`
    SELECT * FROM agent_sessions
    WHERE deleted = 0 AND (created_at, session_id) < (@createdAtMs, @sessionId) AND (
      title LIKE @pattern ESCAPE '\\' OR summary LIKE @pattern ESCAPE '\\' OR session_id IN (
        SELECT found.session_id
        FROM (${candidates}) AS candidate
        CROSS JOIN agent_search AS found ON found.rowid = candidate.doc
        CROSS JOIN agent_messages AS message
          ON message.session_id = found.session_id AND message.ordinal = found.ordinal
        WHERE message.content LIKE @pattern ESCAPE '\\'))
    ORDER BY created_at DESC, session_id DESC LIMIT @limit`);
}
