import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError } from './json-error.ts';

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findJsonError', () => {
  it.each([
    ['{"path": }', { position: 9, expected: 'value', found: '}' }],
    ['{"path": "a"', { position: 12, expected: 'comma-or-brace', found: null }],
    ['{"path": "a', { position: 11, expected: 'end-of-string', found: null }],
    ['{"path": "a\nb"}', { position: 11, expected: 'end-of-string', found: '\n' }],
    ['{path: 1}', { position: 1, expected: 'name-or-brace', found: 'p' }],
    ['{"a": 1,}', { position: 8, expected: 'name', found: '}' }],
    ['[1,]', { position: 3, expected: 'value', found: ']' }],
    ['[1 2]', { position: 3, expected: 'comma-or-bracket', found: '2' }],
    ['{"a" 1}', { position: 5, expected: 'colon', found: '1' }],
    ['{"a": "C:\\x"}', { position: 9, expected: 'escape', found: 'x' }],
    ['{} {}', { position: 3, expected: 'end-of-text', found: '{' }],
    ['{"a": 🌌}', { position: 6, expected: 'value', found: '🌌' }],
    ['', { position: 0, expected: 'value', found: null }],
  ])('says what is wrong with %s', (text, error) => {
    expect(findJsonError(text)).toEqual(error);
  });

  it('finds no error in what JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonError(text)).toBeNull();
      }),
    );
  });

  it('agrees with JSON.parse on every text made of the letters of JSON', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '\\',
        '\\n',
        '\\u00e',
        '0',
        '1',
        '-',
        '.5',
        'e3',
        'true',
        'nul',
        ' ',
        '\n',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(findJsonError(text) === null).toBe(accepts(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with JSON.parse on valid texts with one character changed', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.string({ maxLength: 1, unit: 'binary' }),
        (json, at, put) => {
          const position = at % (json.length + 1);
          const text = json.slice(0, position) + put + json.slice(position + 1);
          expect(findJsonError(text) === null).toBe(accepts(text));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('does not run out of stack', () => {
    expect(findJsonError('['.repeat(200_000))).toMatchObject({ position: 200_000, found: null });
  });
});
