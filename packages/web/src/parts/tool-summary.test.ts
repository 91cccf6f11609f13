/** A tool call in one line. */
import { expect, it } from 'vitest';
import { shortArguments, toolIcon } from './tool-summary.ts';

it('shows the values of the arguments, lists by their length', () => {
  expect(
    shortArguments({
      query: 'NGC 1068\n neutrino',
      rows: 5,
      fields: ['a', 'b'],
      todos: [{}, {}],
      none: null,
    }),
  ).toBe('NGC 1068 neutrino · 5 · a, b · [2]');
  expect(shortArguments('not {json')).toBe('not {json');
  expect(shortArguments(null)).toBe('');
});

it('cuts long arguments between characters', () => {
  const short = shortArguments({ text: `${'a'.repeat(119)}🔭🔭` });
  expect(short.length).toBeLessThanOrEqual(121);
  expect(short.isWellFormed()).toBe(true);
});

it('knows the kinds of tools by their names', () => {
  expect(
    ['todo_write', 'search_arxiv', 'query_simbad', 'parse_paper', 'read_file', 'magic'].map(toolIcon),
  ).toEqual(['list', 'search', 'telescope', 'paper', 'file', 'tool']);
});
