/** Papers in an answer's text become links; brackets around a lone one go. */
import { expect, it } from 'vitest';
import { linkCitations } from './link-citations.ts';

type Tree = Parameters<ReturnType<typeof linkCitations>>[0];

function written(tree: Tree): string {
  if (tree.type === 'text') return tree.value ?? '';
  const inside = (tree.children ?? []).map(written).join('');
  return tree.tagName === 'a' ? `<${inside}>` : inside;
}

function linked(text: string, tagName = 'p'): string {
  const tree: Tree = {
    type: 'root',
    children: [{ type: 'element', tagName, children: [{ type: 'text', value: text }] }],
  };
  linkCitations()(tree);
  return written(tree);
}

it('links papers and takes the brackets off a lone one', () => {
  expect(linked('seen [2022Sci...378..538I], arXiv:1904.05714.')).toBe(
    'seen <2022Sci...378..538I>, <arXiv:1904.05714>.',
  );
  expect(linked('[2022Sci...378..538I][2020A&A...641A...6P]')).toBe(
    '<2022Sci...378..538I><2020A&A...641A...6P>',
  );
});

it('keeps the brackets of a list and those that do not close', () => {
  expect(linked('[2022Sci...378..538I, arXiv:1904.05714]')).toBe(
    '[<2022Sci...378..538I>, <arXiv:1904.05714>]',
  );
  expect(linked('[2022Sci...378..538I')).toBe('[<2022Sci...378..538I>');
});

it('leaves code alone', () => {
  expect(linked('arXiv:1904.05714', 'code')).toBe('arXiv:1904.05714');
});
