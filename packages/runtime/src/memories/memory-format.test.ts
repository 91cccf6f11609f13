import { describe, expect, it } from 'vitest';
import type { Memory } from './memory.ts';
import { formatIndex, formatMemory, parseMemory } from './memory-format.ts';

const MEMORY: Memory = {
  type: 'project',
  name: 'plate-scale',
  content: '---\nThe plate scale is 0.263: measured "in March".\n\n---',
  createdAtMs: 1_700_000_000_123,
  updatedAtMs: 1_700_000_500_000,
};

describe('a memory as a file', () => {
  it('comes back as it was', () => {
    expect(parseMemory(formatMemory(MEMORY), 'plate-scale', 0)).toEqual(MEMORY);
  });

  it('takes the times of the file where none are written in it', () => {
    expect(parseMemory('---\nname: a\ntype: user\n---\nA fact.', 'a', 42)).toMatchObject({
      createdAtMs: 42,
      updatedAtMs: 42,
    });
    expect(parseMemory('---\nname: a\ntype: user\nupdated: soon\n---\nA fact.', 'a', 42)).toMatchObject({
      updatedAtMs: 42,
    });
  });

  it.each([
    ['no front matter', 'A fact.', 'first line'],
    ['another name', '---\nname: b\ntype: user\n---\nA fact.', 'must be a'],
    ['an unknown type', '---\nname: a\ntype: secret\n---\nA fact.', 'type: must be one of'],
    ['no content', '---\nname: a\ntype: user\n---\n\n', 'content is empty'],
  ])('is refused with %s', (_, text, reason) => {
    expect(parseMemory(text, 'a', 0)).toContain(reason);
  });
});

describe('formatIndex', () => {
  it('has one line a memory, by name, whatever order they come in', () => {
    const other: Memory = { ...MEMORY, name: 'a', content: `${'星'.repeat(200)}\nsecond line` };
    const index = `# Memory\n\n- [a](a.md) (project): ${'星'.repeat(120)}…\n- [plate-scale](plate-scale.md) (project): ---\n`;
    expect(formatIndex([MEMORY, other])).toBe(index);
    expect(formatIndex([other, MEMORY])).toBe(index);
  });
});
