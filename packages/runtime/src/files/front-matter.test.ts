import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFrontMatter, parseFrontMatter } from './front-matter.ts';

function fields(lines: string) {
  const file = parseFrontMatter(`---\n${lines}\n---\nbody`);
  return file.kind === 'read' ? Object.fromEntries(file.fields) : file.reason;
}

describe('parseFrontMatter', () => {
  it('reads plain and quoted text, lists, comments and one level of nesting', () => {
    expect(
      fields(
        [
          '# a comment',
          'name: fit-lines',
          'description: Fit lines: position, width  # and flux',
          `quoted: "a: \\"b\\" # c\\n"`,
          "single: 'it''s'",
          'list: [a, "b, c", \'d\']',
          'empty: []',
          '',
          'when:',
          '  keywords: [谱线, line]',
          '  tools: read_file',
          'after: yes',
        ].join('\n'),
      ),
    ).toEqual({
      name: 'fit-lines',
      description: 'Fit lines: position, width',
      quoted: 'a: "b" # c\n',
      single: "it's",
      list: ['a', 'b, c', 'd'],
      empty: [],
      'when.keywords': ['谱线', 'line'],
      'when.tools': 'read_file',
      after: 'yes',
    });
  });

  it('gives the body without the lines around it, also from Windows', () => {
    expect(parseFrontMatter('\ufeff---\r\na: 1\r\n---\r\n\r\n# Title\r\ntext\r\n')).toEqual({
      kind: 'read',
      fields: new Map([['a', '1']]),
      body: '# Title\ntext',
    });
    expect(parseFrontMatter('---\na: 1\n---')).toMatchObject({ body: '' });
  });

  it.each([
    ['no head at all', '# Title\n', 'the first line must be ---'],
    ['an empty file', '', 'the first line must be ---'],
    ['no end of the head', '---\nname: [unclosed\ndescription\n', 'the closing --- is missing'],
    ['a line without a colon', '---\nname: a\ndescription\n---\n', 'line 3: write it as "key: value"'],
    ['no space behind the colon', '---\nname:a\n---\n', 'line 2: write it as'],
    ['an open bracket', '---\nname: [a, b\n---\n', 'line 2: use plain text'],
    ['an open quote', '---\nname: "a\n---\n', 'line 2: use plain text'],
    ['a bad escape', '---\nname: "\\x"\n---\n', 'line 2: use plain text'],
    ['a folded text', '---\nname: >\n  a\n---\n', 'line 2: use plain text'],
    ['an alias', '---\nname: *a\n---\n', 'line 2: use plain text'],
    ['a nested list', '---\nname: [a, [b]]\n---\n', 'line 2: use plain text'],
    ['an empty item', '---\nname: [a, , b]\n---\n', 'line 2: use plain text'],
    ['a key twice', '---\na: 1\na: 2\n---\n', 'line 3: a is there twice'],
    ['a value and nested keys', '---\na: 1\n  b: 2\n---\n', 'line 3: indented'],
    ['a tab as indent', '---\na:\n\tb: 2\n---\n', 'line 3: write it as'],
  ])('refuses %s and says where', (_, text, reason) => {
    expect(parseFrontMatter(text)).toMatchObject({ kind: 'broken', reason: expect.stringContaining(reason) });
  });

  it('never throws and never takes long', () => {
    const unit = fc.constantFrom('-', '\n', ':', ' ', '"', "'", '[', ']', ',', '\\', '#', 'a', '>');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        expect(['read', 'broken']).toContain(parseFrontMatter(`---\n${text}\n---\n`).kind);
      }),
      { numRuns: 1000 },
    );
    expect(parseFrontMatter(`---\na: [${"'a".repeat(50_000)}\n---`).kind).toBe('broken');
  });
});

describe('formatFrontMatter', () => {
  it('is undone by parsing, whatever the values and the body', () => {
    const key = fc.constantFrom('name', 'type', 'created', 'note');
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
    const body = fc.string({ unit: fc.constantFrom('-', '\n', 'a', ' ', '#', ':'), maxLength: 30 });
    fc.assert(
      fc.property(fc.dictionary(key, value, { noNullPrototype: true }), body, (given, content) => {
        const map = new Map(Object.entries(given));
        expect(parseFrontMatter(formatFrontMatter(map, content.trim()))).toEqual({
          kind: 'read',
          fields: map,
          body: content.trim(),
        });
      }),
      { numRuns: 500 },
    );
  });
});
