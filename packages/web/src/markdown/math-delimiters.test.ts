/** Mathematics as models write it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normaliseMath } from './math-delimiters.ts';

it('turns TeX brackets into dollars', () => {
  expect(normaliseMath('with \\(z = 0.0038\\) and')).toBe('with $z = 0.0038$ and');
  expect(normaliseMath('\\[\nE = mc^2\n\\]')).toBe('$$\nE = mc^2\n$$\n');
  expect(normaliseMath('so \\[x\\] holds')).toBe('so \n\n$$\nx\n$$\n holds');
});

it('leaves formulas in dollars as they are', () => {
  for (const text of [
    '$H_0 = 73.0 \\pm 1.0$',
    '$$\nx\n$$',
    'a $x$, $y$ b',
    '质量 $10^7\\,M_\\odot$。',
    '\\$5',
  ]) {
    expect(normaliseMath(text)).toBe(text);
  }
});

it('takes prices for prices', () => {
  expect(normaliseMath('from $5 to $10')).toBe('from \\$5 to \\$10');
  expect(normaliseMath('it costs $5')).toBe('it costs \\$5');
});

it('touches nothing inside code', () => {
  for (const text of [
    '`\\(x\\) $5`',
    '``a ` $5 b``',
    '```\n\\[x\\]\n$5 $6\n```',
    '~~~sh\necho $HOME\n~~~',
    '```\n$5 open',
  ]) {
    expect(normaliseMath(text)).toBe(text);
  }
});

it('changes nothing the second time', () => {
  const piece = fc.constantFrom('$', '$$', '\\(', '\\)', 'x', ' ', '5', '\n', '`', '```\n', '\\', 'a');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const text = pieces.join('').replaceAll('\\(', '').replaceAll('\\[', '');
      const once = normaliseMath(text);
      expect(normaliseMath(once)).toBe(once);
    }),
  );
});
