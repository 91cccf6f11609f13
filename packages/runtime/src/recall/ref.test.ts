import { describe, expect, it } from 'vitest';
import { parseRef, writeRef } from './ref.ts';

describe('parseRef', () => {
  it.each([
    ['m42', 'm42', 'm42'],
    ['m4-m31', 'm4', 'm31'],
    ['m4-31', 'm4', 'm31'],
    [' M4 – m31 ', 'm4', 'm31'],
    ['m31-m4', 'm4', 'm31'],
    ['recall m7', 'm7', 'm7'],
    ['[m7]', 'm7', 'm7'],
    ['42', 'm42', 'm42'],
  ])('reads %j', (text, from, to) => {
    expect(parseRef(text)).toEqual({ from, to });
  });

  it.each(['', 'm', 'm0', 'm0-m3', 'x4', 'm4-', 'm4-m5-m6', 'm1.5', `m${'9'.repeat(16)}`, 'the third one'])(
    'finds no ref in %j',
    (text) => {
      expect(parseRef(text)).toBeNull();
    },
  );

  it('reads what writeRef wrote', () => {
    for (const range of [
      { from: 'm1', to: 'm1' },
      { from: 'm4', to: 'm31' },
    ] as const) {
      expect(parseRef(writeRef(range))).toEqual(range);
    }
  });
});
