import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearestNames } from './nearest-names.ts';

const TOOLS = ['read_file', 'write_file', 'list_files', 'todo_write', 'save_memory'];

describe('nearestNames', () => {
  it.each([
    ['read_fil', 'read_file'],
    ['readFile', 'read_file'],
    ['READ-FILE', 'read_file'],
    ['write_todos', 'write_file'],
    ['save_memories', 'save_memory'],
    ['listfiles', 'list_files'],
  ])('puts %s next to %s', (wanted, nearest) => {
    expect(nearestNames(wanted, TOOLS, 1)).toEqual([nearest]);
  });

  it('keeps the given order among equally distant names and gives no more than asked for', () => {
    expect(nearestNames('', ['bb', 'aa', 'c'], 2)).toEqual(['c', 'bb']);
    expect(nearestNames('x', TOOLS, 0)).toEqual([]);
    expect(nearestNames('x', [], 3)).toEqual([]);
  });

  it('stays fast for a name of a million characters', () => {
    expect(nearestNames('r'.repeat(1_000_000), TOOLS, 1)).toHaveLength(1);
  });
});

describe('editDistance', () => {
  const word = fc.string({ maxLength: 12 });

  it('is a metric', () => {
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
    );
  });

  it('counts one change as one', () => {
    expect([editDistance('sun', 'sin'), editDistance('sun', 'suns'), editDistance('sun', 'un')]).toEqual([
      1, 1, 1,
    ]);
  });
});
