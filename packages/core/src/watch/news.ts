/** Whether a step brought anything new: a result not seen before in the turn, a changed task or file (context.md 4). */
import type { TextHash } from './text-hash.ts';

/** A tool's answer, for comparison: the hash of its text, or the word of a tool that itself says "as before" (a stub). */
export type ResultMark = TextHash | 'unchanged';

export type News = {
  /** Hashes of results, the newest last; at most `MAX_SEEN`, the longest unseen goes first. */
  readonly seen: readonly TextHash[];
  /** Something new came since the last check. */
  readonly fresh: boolean;
};

export const NO_NEWS: News = { seen: [], fresh: false };

/**
 * Bounds the memory of a turn. A result older than that counts as new again, which errs to the safe side: a step
 * is rather taken for useful than cut off.
 */
const MAX_SEEN = 64;

export function noteResult(news: News, result: ResultMark): News {
  if (result === 'unchanged') return news;
  const isNew = !news.seen.includes(result);
  const others = isNew ? news.seen : news.seen.filter((hash) => hash !== result);
  return { seen: [...others.slice(1 - MAX_SEEN), result], fresh: news.fresh || isNew };
}

/** A task or a file changed, whatever the tool said about it. */
export function noteChange(news: News): News {
  return news.fresh ? news : { ...news, fresh: true };
}

/** `fresh` was read by a check; the next step begins with nothing. */
export function nextCheck(news: News): News {
  return news.fresh ? { ...news, fresh: false } : news;
}
