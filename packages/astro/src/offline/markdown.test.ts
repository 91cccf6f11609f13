import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, streamPieces, table } from './markdown.ts';

describe('markdown', () => {
  it('escapes the marks of a title and leaves its formulas alone', () => {
    expect(plainText('Sgr A* and $H_0$ [I]')).toBe('Sgr A\\* and $H_0$ \\[I\\]');
  });

  it('keeps a bar inside its cell', () => {
    expect(table(['a'], [['x | y']])).toBe('| a |\n| --- |\n| x \\| y |');
  });

  it('streams a text whole, in several pieces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(streamPieces(text).join('')).toBe(text);
      }),
    );
    expect(streamPieces('One. Two.\n三。四')).toEqual(['One. ', 'Two.\n', '三。', '四']);
  });
});
