/** What a turn has seen before is no news; what it has not always is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type News, NO_NEWS, nextCheck, noteChange, noteResult } from './news.ts';
import { textHash } from './text-hash.ts';

const seen = (...texts: readonly string[]) =>
  texts.map(textHash).reduce<News>((news, hash) => noteResult(news, hash), NO_NEWS);

describe('news', () => {
  it('is a result that was not seen before in the turn', () => {
    const news = nextCheck(seen('10 %', 'list'));
    expect(noteResult(news, textHash('20 %')).fresh).toBe(true);
    expect(noteResult(news, textHash('list')).fresh).toBe(false);
  });

  it('is never a result that says itself that nothing changed', () => {
    expect(noteResult(NO_NEWS, 'unchanged')).toBe(NO_NEWS);
  });

  it('is a changed task or file, though the tool says the same as before', () => {
    const news = nextCheck(seen('written'));
    expect(noteResult(noteChange(news), textHash('written')).fresh).toBe(true);
  });

  it('stays until the check, whatever follows in the step, and is then used up', () => {
    const news = noteResult(seen('new', 'new'), textHash('new'));
    expect(news.fresh).toBe(true);
    expect(nextCheck(news).fresh).toBe(false);
  });

  it('remembers 64 results at least as long as nothing newer pushes them out, and never more', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(90), { minLength: 100, maxLength: 250, size: 'max' }), (results) => {
        let news = NO_NEWS;
        results.forEach((result, index) => {
          news = noteResult(nextCheck(news), `r${result}`);
          const last = results.slice(0, index).lastIndexOf(result);
          const between = new Set(results.slice(last + 1, index)).size;
          expect(news.fresh).toBe(last < 0 || between >= 64);
          expect(news.seen.length).toBeLessThanOrEqual(64);
        });
      }),
      { numRuns: 100 },
    );
  });
});
