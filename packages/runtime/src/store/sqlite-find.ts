/** Search over one session's messages by LIKE: no index to store, and words of two Chinese characters are found. */
import { ordinalOf } from '@astroresearch/core';
import type Database from 'better-sqlite3';
import type { MessageRow } from './message-rows.ts';
import type { MessageSearch } from './store.ts';

/** Most terms first, then newest first. The statement depends on how many terms there are, so it is made here. */
export function findMessageRows(
  database: Database.Database,
  sessionId: string,
  search: MessageSearch,
): readonly MessageRow[] {
  if (search.terms.length === 0) return [];
  const patterns: Record<string, string> = {};
  const counted = search.terms.map((term, index) => {
    const alternatives = term.flatMap((spelling, variant) => {
      const name = `term_${index}_${variant}`;
      patterns[name] = containing(spelling);
      return [`content LIKE @${name} ESCAPE '\\'`, `calls LIKE @${name} ESCAPE '\\'`];
    });
    return `COALESCE(${alternatives.join(' OR ')}, 0)`;
  });
  const statement = database.prepare<[Record<string, unknown>], MessageRow>(
    statementText(counted.join(' + ')),
  );
  return statement.all({
    ...patterns,
    session: sessionId,
    agent: search.agentName,
    from: ordinalOf(search.from),
    to: ordinalOf(search.to),
    except: search.exceptTool,
    limit: search.limit,
  });
}

/** A LIKE pattern in which every character of `query` stands for itself. */
export function containing(query: string): string {
  return `%${query.replace(/[\\%_]/g, '\\$&')}%`;
}

/** `LIMIT -1` keeps SQLite from computing an inner column again wherever an outer query names it. */
function statementText(termCount: string): string {
  return `
    SELECT m.* FROM (
      SELECT ordinal, ${termCount} AS terms FROM (
        SELECT ordinal, content, (
          SELECT group_concat(
            json_extract(call.value, '$.function.name') || char(10) || json_extract(call.value, '$.function.arguments'),
            char(10))
          FROM json_each(tool_calls) call
          WHERE json_extract(call.value, '$.function.name') <> @except) AS calls
        FROM agent_messages
        WHERE session_id = @session AND ordinal BETWEEN @from AND @to AND role <> 'system'
          AND (agent_name = @agent OR @agent = '*')
          AND NOT (role = 'tool' AND json_extract(metadata, '$.name') = @except)
          AND EXISTS (SELECT 1 FROM agent_sessions s WHERE s.session_id = @session AND s.deleted = 0)
        LIMIT -1)
      LIMIT -1) hit
    CROSS JOIN agent_messages m ON m.session_id = @session AND m.ordinal = hit.ordinal
    WHERE hit.terms > 0 ORDER BY hit.terms DESC, hit.ordinal DESC LIMIT @limit`;
}
