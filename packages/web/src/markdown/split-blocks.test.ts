/** Where Markdown may be cut. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitBlocks } from './split-blocks.ts';

it('cuts between paragraphs and before headings', () => {
  expect(splitBlocks('# A\n\none\n\ntwo\n\n## B')).toEqual(['# A\n', 'one\n', 'two\n', '## B']);
});

it('keeps loose lists, quotes and tables whole', () => {
  for (const text of ['- a\n\n- b\n\n  more', '1. a\n\n2. b', '> a\n\n> b', '| a |\n|---|\n| b |']) {
    expect(splitBlocks(text)).toEqual([text]);
  }
});

it('cuts neither inside a code fence nor inside display math', () => {
  const fence = '```python\nx = 1\n\ny = 2\n```';
  const math = '$$\na\n\nb\n$$';
  expect(splitBlocks(`${fence}\n\n${math}\n\nend`)).toEqual([`${fence}\n`, `${math}\n`, 'end']);
});

it('leaves text with footnotes or link definitions in one piece', () => {
  const text = 'See [1].\n\nMore.\n\n[1]: https://example.org';
  expect(splitBlocks(text)).toEqual([text]);
});

const line = fc.constantFrom(
  '',
  'text',
  '# head',
  '- item',
  '```',
  '~~~',
  '$$',
  '$$x$$',
  '> q',
  '  in',
  '1. a',
  '观测',
);
const document = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));

it('loses and adds nothing', () => {
  fc.assert(
    fc.property(document, (text) => {
      expect(splitBlocks(text).join('\n')).toBe(text);
    }),
  );
});

it('keeps the finished pieces while the text grows by whole lines', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.nat(30), (lines, cut) => {
      const before = splitBlocks(lines.slice(0, cut).join('\n'));
      const after = splitBlocks(lines.join('\n'));
      expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    }),
  );
});
