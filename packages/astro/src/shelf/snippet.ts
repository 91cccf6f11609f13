/** The sentence of a note that shares most words with the query. */
import type { Language } from '@astroresearch/core';
import type { Work } from './work.ts';

/** Longest snippet, characters; a longer sentence ends at a word with an ellipsis. */
const MAX_SNIPPET_CHARS = 200;

/** Never empty. */
export function snippet(work: Work, query: string, language: Language): string {
  const sentences =
    language === 'zh' ? split(work.note_zh, /(?<=[。！？])/) : split(work.note_en, /(?<=[.!?])\s+/);
  const words = wordsOf(query);
  const scored = sentences.map((sentence) => ({
    sentence,
    shared: words.filter((word) => has(sentence, word)).length,
  }));
  const best = scored.reduce(
    (a, b) => (b.shared > a.shared ? b : a),
    scored[0] ?? { sentence: work.title, shared: 0 },
  );
  return shortened(best.sentence);
}

const split = (text: string, at: RegExp) => text.split(at).filter((sentence) => sentence.trim() !== '');
const has = (sentence: string, word: string) => sentence.toLowerCase().includes(word);

function wordsOf(query: string): readonly string[] {
  return [...new Set(query.toLowerCase().match(/[\p{Script=Han}]{2,}|[\p{L}\p{N}-]{3,}/gu) ?? [])];
}

function shortened(sentence: string): string {
  const characters = [...sentence.trim()];
  if (characters.length <= MAX_SNIPPET_CHARS) return characters.join('');
  const kept = characters.slice(0, MAX_SNIPPET_CHARS - 1).join('');
  return `${kept.replace(/\s+\S*$/, '')}…`;
}
