import { describe, expect, it } from 'vitest';
import { conceptsOf, isInsidePhrase, phraseKey } from './concepts.ts';

const firsts = (question: string) => conceptsOf(question).map(({ alternatives: [first] }) => first);

describe('concepts of a question', () => {
  it('are its terms, in one piece, with what means the same', () => {
    const [tension] = conceptsOf('How large is the Hubble tension?');
    expect(tension?.alternatives).toEqual(
      expect.arrayContaining(['Hubble tension', 'Hubble constant', 'H0']),
    );
    expect(firsts('Distances from the tip of the red giant branch')).toEqual([
      'Distances',
      'tip of the red giant branch',
    ]);
  });

  it('leave out what only asks', () => {
    expect(firsts('What is known about dark matter?')).toEqual(['dark matter']);
    expect(firsts('Which papers measure it?')).toEqual([]);
  });

  it('are the same for a Chinese question, with the Chinese words for Chinese notes', () => {
    const [dms] = conceptsOf('有没有二甲基硫？');
    expect(dms?.alternatives).toEqual(expect.arrayContaining(['DMS', 'dimethyl sulfide', '二甲基硫']));
    expect(firsts('哈勃张力有多大？')).toEqual(['Hubble tension']);
  });

  it('keep Chinese that no term covers', () => {
    expect(conceptsOf('月饼的做法')).toEqual([
      { kind: 'rest', alternatives: ['月饼'] },
      { kind: 'rest', alternatives: ['做法'] },
    ]);
  });

  it('take names as they are given', () => {
    const text = 'NGC 1068 distance';
    expect(conceptsOf(text, [{ start: 0, end: 8, names: ['NGC 1068', 'M 77'] }])).toMatchObject([
      { kind: 'name', alternatives: ['NGC 1068', 'M 77'] },
      { kind: 'term' },
    ]);
  });

  it('know a name that is only the beginning of a term', () => {
    expect(isInsidePhrase('Mira variables', 0, 4)).toBe(true);
    expect(isInsidePhrase('Mira is red', 0, 4)).toBe(false);
    expect(isInsidePhrase('米拉变星', 0, 2)).toBe(true);
  });

  it('have one key for the spellings of a phrase', () => {
    expect(phraseKey('Gravitational-Wave  Backgrounds')).toBe(phraseKey('gravitational wave background'));
  });
});
