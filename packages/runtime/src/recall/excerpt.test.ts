import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf } from './excerpt.ts';
import { fold, parseQuery } from './query.ts';

function excerpt(text: string, query: string, chars: number) {
  const parsed = parseQuery(query);
  return excerptOf(
    text,
    text,
    parsed,
    parsed.terms.map(() => 1),
    chars,
  );
}

const filler = (words: number) => 'lorem ipsum '.repeat(words);

describe('excerptOf', () => {
  it('shows the hit, wherever it stands', () => {
    for (const [before, after] of [
      [0, 900],
      [400, 400],
      [900, 0],
    ] as const) {
      const text = `${filler(before)}MIDDLE-MARK-88 ${filler(after)}`;
      expect(excerpt(text, 'middle-mark-88', 100).text).toContain('MIDDLE-MARK-88');
    }
  });

  it('prefers a phrase, then the place where most terms stand together', () => {
    const text = `hubble ${filler(100)} constant ${filler(100)} Hubble, the constant ${filler(100)} Hubble constant ${filler(50)}`;
    expect(excerpt(text, 'hubble constant', 80).text).toContain('Hubble constant');
    expect(excerpt(text, 'constant hubble', 80).text).toContain('Hubble, the constant');
  });

  it('finds its place where folding changes lengths', () => {
    const text = `${'ﬃ㎞½İ 🌌 e\u0301 '.repeat(2_000)}星系红移 ＺＺ９ ${'ﷺ'.repeat(300)}`;
    expect(excerpt(text, '红移', 60).text).toContain('红移');
    expect(excerpt(text, 'zz9', 60).text).toContain('ＺＺ９');
  });

  it('is the piece of the text at its offset, whole characters, never too long (property)', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 80 }),
        (whole, query, chars) => {
          const { text: shown, offset } = excerpt(whole, query, chars);
          const characters = [...whole];
          expect([...shown].length).toBeLessThanOrEqual(chars);
          expect(shown).toBe(characters.slice(offset, offset + [...shown].length).join(''));
        },
      ),
    );
  });

  it('holds every term that is found in ordinary text (property)', () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 80 }), fc.nat(), (words, pick) => {
        const wanted = words[pick % words.length] ?? '';
        expect(fold(excerpt(words.join(' '), wanted, 60).text)).toContain(wanted);
      }),
    );
  });
});
